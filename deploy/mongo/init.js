/**
 * The user of Viva, for mongosh as an administrator; may be run again, which also changes the password.
 *   MONGO_PASSWORD=… mongosh "mongodb://root:…@host/admin" init.js
 */
/* global db */
(() => {
  const password = process.env.MONGO_PASSWORD
  if (!password) throw new Error('Set MONGO_PASSWORD to the password that the user viva is to have.')
  // readWrite covers what the services do: documents, collections and indexes of their own database.
  const roles = ['parsing', 'generation', 'reviewing', 'inference', 'scoring']
    .map(service => ({ role: 'readWrite', db: `viva-${service}` }))
  const admin = db.getSiblingDB('admin')
  const user = { pwd: password, roles, mechanisms: ['SCRAM-SHA-256'] }
  if (admin.getUser('viva') === null) admin.createUser({ user: 'viva', ...user })
  else admin.updateUser('viva', user)
})()
