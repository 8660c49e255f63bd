"""Answers questions about tables from a publisher's JATS XML, to check answers made elsewhere.

Written apart from the service and sharing nothing with it: it reads the XML itself, takes the heading
from <thead>, spans from their attributes and note marks from <sup>, and computes with fractions.

Reads JSON lines {key, xml, arguments, choices, answerIndex} and writes {key, agrees, found, why}.
"""
import json
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

PATTERNS = {
    (1,): 'It rises at every step.',
    (-1,): 'It falls at every step.',
    (1, -1): 'It rises at first and then falls.',
    (-1, 1): 'It falls at first and then rises.',
}


class Unanswerable(Exception):
    pass


def local(element):
    return element.tag.rsplit('}', 1)[-1] if isinstance(element.tag, str) else ''


def text_of(element, with_marks=True):
    """All text; without_marks leaves out raised letters and symbols, which point at notes."""
    parts = [element.text or '']
    for child in element:
        mark = local(child) == 'sup' and not re.search(r'\d', ''.join(child.itertext()))
        if local(child) not in ('xref', 'fn') and (with_marks or not mark):
            parts.append(text_of(child, with_marks))
        elif local(child) == 'xref' and with_marks:
            parts.append(text_of(child, with_marks))
        parts.append(child.tail or '')
    return ''.join(parts)


def plain(text):
    """Letters and digits only, compatibility forms folded: what two printings of one name share."""
    folded = unicodedata.normalize('NFKC', text).replace('\u2212', '-').lower()
    return ''.join(c for c in folded if c.isalnum() or c in '<>+%')


def bold(row):
    cells = [cell for cell in row if ''.join(cell.itertext()).strip()]
    return bool(cells) and all(local(cell) == 'th' or any(local(part) in ('bold', 'b') for part in cell) for cell in cells)


class Table:
    def __init__(self, wrap):
        self.header = []
        self.body = []
        for part in ('thead', 'tbody'):
            rows = [row for holder in wrap.iter() if local(holder) == part for row in holder if local(row) in ('tr', 'row')]
            self.lay(rows, self.header if part == 'thead' else self.body)
        if not self.header:
            # Without <thead>, rows set in bold from the top on are the heading.
            rows = [row for row in wrap.iter() if local(row) in ('tr', 'row')]
            count = 0
            while count < len(rows) and bold(rows[count]):
                count += 1
            both = []
            self.lay(rows, both)
            self.header, self.body = both[:max(1, count)], both[max(1, count):]
        self.width = max([len(row) for row in self.header + self.body], default=0)
        self.columns = [self.column_path(c, False) for c in range(self.width)]
        self.marked = [self.column_path(c, True) for c in range(self.width)]
        self.rows = self.grouped()

    @staticmethod
    def lay(rows, into):
        """Every place that a cell covers holds that cell."""
        grid = {}
        for r, row in enumerate(rows):
            c = 0
            for cell in row:
                if local(cell) not in ('td', 'th', 'entry'):
                    continue
                while (r, c) in grid:
                    c += 1
                down = int(cell.get('rowspan') or 1)
                across = int(cell.get('colspan') or 1)
                for i in range(down):
                    for j in range(across):
                        grid[(r + i, c + j)] = cell
                c += across
        height = max([r for r, _ in grid], default=-1) + 1
        width = max([c for _, c in grid], default=-1) + 1
        for r in range(min(height, len(rows))):
            into.append([grid.get((r, c)) for c in range(width)])

    def column_path(self, c, with_marks):
        path = []
        for row in self.header:
            cell = row[c] if c < len(row) else None
            name = plain(text_of(cell, with_marks)) if cell is not None else ''
            if name and (not path or path[-1] != name):
                path.append(name)
        return path

    def grouped(self):
        """Body rows with the heading among the rows that they stand under, if any."""
        rows, group = [], ''
        for row in self.body:
            texts = {id(cell): text_of(cell).strip() for cell in row if cell is not None}
            filled = [text for text in texts.values() if text]
            if not filled:
                continue
            if len(filled) == 1 and row[0] is not None and texts[id(row[0])]:
                group = plain(text_of(row[0], False))
                continue
            rows.append((group, row))
        return rows

    def find_column(self, path):
        wanted = [plain(part) for part in path]
        for test in (lambda own: own == wanted,
                     lambda own: ''.join(own) == ''.join(wanted),
                     lambda own: bool(own) and bool(wanted) and own[-1] == wanted[-1] and all(part in own for part in wanted)):
            found = [c for c in range(self.width) if test(self.columns[c]) or test(self.marked[c])]
            if len(found) == 1:
                return found[0]
            if found:
                raise Unanswerable(f'{len(found)} columns {path}')
        raise Unanswerable(f'no column {path} in {self.columns}')

    def find_row(self, path):
        wanted = [plain(part) for part in path]
        exact = [found for c in range(self.width) for found in [self.rows_with(wanted, c)] if found]
        for found in exact:
            if len(found) == 1:
                return found[0]
        raise Unanswerable(f'{len(exact[0]) if exact else 0} rows {path}')

    def rows_with(self, wanted, c):
        found = []
        for group, row in self.rows:
            own = [plain(text_of(cell, False)) if cell is not None else '' for cell in row]
            marked = [plain(text_of(cell)) if cell is not None else '' for cell in row]
            here = c < len(own) and wanted[-1] in (own[c], marked[c])
            if here and all(part in own or part in marked or part == group for part in wanted):
                found.append(row)
        return found

    def value(self, row, c):
        cell = row[c] if c < len(row) else None
        return None if cell is None else number_of(text_of(cell, False))


def number_of(text):
    """(value, digits after the point), None when nothing is given; raises on what is no single number."""
    text = unicodedata.normalize('NFKC', text).replace('\u2212', '-').replace('\u2013', '-').strip()
    if text in ('', '-', '--', '\u2014', '...') or re.fullmatch(r'(?i)n\.?\s?[adts]\.?|n/a', text):
        return None
    found = re.match(r'([+-]?)(\d[\d, ]*)(\.\d+)?|([+-]?)(\.\d+)', text)
    if found is None:
        raise Unanswerable(f'not a number: {text}')
    rest = text[found.end():].strip()
    if rest and not re.match(r'^(%|\(?\s?\u00b1|[a-z*\u2020\u2021]{1,4}$)', rest):
        raise Unanswerable(f'more than a number: {text}')
    digits = re.sub(r'[, ]', '', found.group(2) or '0')
    fraction = found.group(3) or found.group(5) or ''
    value = Fraction(digits + fraction)
    negative = '-' in ((found.group(1) or '') + (found.group(4) or ''))
    return (-value if negative else value, max(0, len(fraction) - 1))


def rounded(value, digits):
    """Half up; a tie is no answer."""
    scaled = value * 10 ** digits
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    if rest == Fraction(1, 2):
        raise Unanswerable('a tie in rounding')
    return Fraction(whole + (1 if rest > Fraction(1, 2) else 0), 10 ** digits)


def series(table, arguments):
    """(name, value, digits) for each entry the question is about."""
    entries = []
    if arguments['along'] == 'rows':
        column = table.find_column(arguments['fixed'])
        where = arguments.get('where')
        condition = table.find_column(where['column']) if where else None
        for group, row in table.rows:
            if where and plain(text_of(row[condition], False)) != plain(where['equals']):
                continue
            found = table.value(row, column)
            if found is not None:
                entries.append(([group] + [plain(text_of(cell, False)) for cell in row if cell is not None], *found))
        return entries
    row = table.find_row(arguments['fixed'])
    for path in arguments['among']:
        found = table.value(row, table.find_column(path))
        if found is not None:
            entries.append(([plain(path[-1])], *found))
    return entries


def cell(table, arguments, path):
    if arguments['along'] == 'rows':
        found = table.value(table.find_row(path), table.find_column(arguments['fixed']))
    else:
        found = table.value(table.find_row(arguments['fixed']), table.find_column(path))
    if found is None:
        raise Unanswerable(f'no value for {path}')
    return found


def matching(choices, test):
    return [i for i, choice in enumerate(choices) if test(choice)]


def named(choices, names):
    """Rows in two steps are named with a slash."""
    def test(choice):
        parts = [plain(part) for part in choice.split(' / ')]
        return plain(choice) in names or all(part in names for part in parts)
    return matching(choices, test)


def numeric(choices, value):
    return matching(choices, lambda choice: Fraction(choice) == value)


def answers(table, arguments, choices):
    operation = arguments['operation']
    if operation in ('look-up', 'difference', 'ratio', 'compare'):
        values = [cell(table, arguments, path) for path in arguments['of']]
        if operation == 'look-up':
            return numeric(choices, values[0][0])
        if operation == 'difference':
            return numeric(choices, values[0][0] - values[1][0])
        if operation == 'compare':
            (a, _), (b, _) = values
            if a == b:
                raise Unanswerable('equal')
            return [0 if (a > b) == arguments['more'] else 1]
        digits = {len(choice.partition('.')[2]) for choice in choices}
        if len(digits) != 1:
            raise Unanswerable('choices of different precision')
        return numeric(choices, rounded(values[0][0] / values[1][0], digits.pop()))
    entries = series(table, arguments)
    if operation == 'count':
        return numeric(choices, Fraction(sum(value > Fraction(arguments['threshold']) for _, value, _ in entries)))
    if operation == 'spread':
        values = [value for _, value, _ in entries]
        return numeric(choices, max(values) - min(values))
    if operation == 'trend':
        values = [value for _, value, _ in entries]
        signs = [(b > a) - (b < a) for a, b in zip(values, values[1:])]
        turns = tuple(s for i, s in enumerate(signs) if i == 0 or s != signs[i - 1])
        return matching(choices, lambda choice: choice == PATTERNS.get(turns))
    order = sorted(entries, key=lambda entry: entry[1], reverse=operation != 'argmin')
    rank = 1 if operation == 'second' else 0
    winner = order[rank]
    if sum(value == winner[1] for _, value, _ in order) != 1:
        raise Unanswerable('a tie')
    return named(choices, winner[0])


def tables_of(path, cache={}):
    if path not in cache:
        root = ElementTree.parse(path).getroot()
        cache[path] = {}
        for wrap in root.iter():
            if local(wrap) == 'table-wrap':
                label = next((text_of(child) for child in wrap if local(child) == 'label'), '')
            elif local(wrap) == 'table' and any(local(child) == 'tgroup' for child in wrap):
                label = next((text_of(child) for child in wrap if local(child) == 'title'), '')
            else:
                continue
            cache[path].setdefault(plain(label), Table(wrap))
    return cache[path]


class WrittenTable(Table):
    """The table that a question carries as text, for variants with other numbers."""

    def __init__(self, question):
        lines = [line for line in question.split('\n') if line.startswith('|')]
        both = [[self.cell(text) for text in line[1:-1].split('|')] for line in lines if not line.startswith('| ---')]
        self.header, self.body = both[:1], both[1:]
        self.width = len(both[0])
        self.columns = [self.column_path(c, False) for c in range(self.width)]
        self.marked = self.columns
        self.rows = [('', row) for row in self.body]

    @staticmethod
    def cell(text):
        element = ElementTree.Element('td')
        element.text = text.strip()
        return element


def main():
    for line in sys.stdin:
        item = json.loads(line)
        try:
            if item['arguments'].get('release'):
                table = WrittenTable(item['question'])
            else:
                table = tables_of(item['xml']).get(plain(item['arguments']['table']))
            if table is None:
                raise Unanswerable('no such table')
            found = answers(table, item['arguments'], item['choices'])
            why = '' if found == [item['answerIndex']] else f'found {found}'
        except Unanswerable as cause:
            found, why = [], str(cause)
        print(json.dumps({'key': item['key'], 'agrees': why == '', 'found': found, 'why': why}))


main()
