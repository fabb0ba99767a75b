package io.pgstress.plan.script;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.script.Expression.Variable;
import io.pgstress.plan.script.ExpressionParser.ExpressionException;
import io.pgstress.plan.script.ScriptCommand.Assign;
import io.pgstress.plan.script.ScriptCommand.Branch;
import io.pgstress.plan.script.ScriptCommand.Gather;
import io.pgstress.plan.script.ScriptCommand.Jump;
import io.pgstress.plan.script.ScriptCommand.Send;
import io.pgstress.plan.script.ScriptCommand.Sleep;
import io.pgstress.text.NamedSql;
import io.pgstress.text.SqlText;
import io.pgstress.text.SqlText.StatementEnds;
import io.pgstress.text.SqlVerb;
import io.pgstress.text.TextFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a script in the language of pgbench, as its manual and its parser define it. Single use; not thread-safe. */
public final class ScriptParser {
    /** Commands of pgbench that scripts cannot have here, and why. */
    private static final Map<String, String> REFUSED = Map.of(
            "shell", "no programs are run",
            "setshell", "no programs are run",
            "startpipeline", "there are no pipelines",
            "syncpipeline", "there are no pipelines",
            "endpipeline", "there are no pipelines");

    private static final List<String> KNOWN =
            List.of("set", "sleep", "if", "elif", "else", "endif", "gset", "aset", "shell", "setshell");

    private static final Map<String, Long> UNITS = Map.of("us", 1L, "ms", 1_000L, "s", 1_000_000L);
    private static final Pattern SLEEP = Pattern.compile("([-+]?\\d{1,9})(\\D.*)?", Pattern.DOTALL);
    private static final String NAME = "\"?([\\p{L}_][\\p{L}\\p{N}_$]*)\"?";
    private static final Pattern TABLE = Pattern.compile(
            "\\b(?:from|into|update|truncate|table)\\s+(?:only\\s+)?(?:" + NAME + "\\.)?" + NAME,
            Pattern.CASE_INSENSITIVE);

    private static final int MAX_NAME = 40;

    private final String file;
    private final String text;
    private final List<String> problems = new ArrayList<>();
    private final List<ScriptCommand> commands = new ArrayList<>();
    private final Map<String, Integer> slots = new LinkedHashMap<>();
    private final Deque<Conditional> open = new ArrayDeque<>();
    private final Set<String> names = new HashSet<>();
    /** Whether {@code \gset} can follow: the last command is SQL without it. */
    private boolean mayGather;

    private int at;

    /** An {@code \if} that has not ended. Not thread-safe. */
    private static final class Conditional {
        private final int begin;
        private final List<Integer> jumps = new ArrayList<>();
        /** The number of the branch that does not know yet where to continue; -1: there is none. */
        private int branch;

        private boolean hasElse;

        Conditional(int begin, int branch) {
            this.begin = begin;
            this.branch = branch;
        }
    }

    /** A word of a command, and its position. */
    private record Word(String text, int at) {}

    private ScriptParser(String text, String file) {
        this.text = text;
        this.file = file;
    }

    /**
     * The script in a file.
     *
     * @throws InvalidPlanException with every problem on a line of its own: file, line, column
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Script read(Path path) {
        try {
            return parse(TextFile.read(path, TextFile.SMALL), path.toString());
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + Forms.unreadable(e), e);
        }
    }

    /** A script of this program's own. */
    public static Script shipped(String resource) {
        try (InputStream in = Objects.requireNonNull(ScriptParser.class.getResourceAsStream(resource), resource)) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The script with this text.
     *
     * @param file its name in messages
     * @throws InvalidPlanException with every problem
     */
    public static Script parse(String text, String file) {
        return new ScriptParser(text, file).script();
    }

    private Script script() {
        int nul = text.indexOf('\0');
        if (nul >= 0) {
            problem(nul, "has a NUL character, which SQL cannot have; scripts are text in UTF-8");
        }
        while (at < text.length()) {
            sql();
        }
        for (Conditional conditional : open) {
            problem(conditional.begin, "\\if without matching \\endif");
        }
        if (commands.isEmpty() && problems.isEmpty()) {
            problems.add(file + ": contains no command");
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        return new Script(file, text, commands, slots);
    }

    private void problem(int position, String what) {
        int line = line(position);
        int column = position - text.lastIndexOf('\n', position - 1);
        problems.add(file + ":" + line + ":" + column + ": " + what);
    }

    private int line(int position) {
        return 1 + (int) text.chars().limit(position).filter(c -> c == '\n').count();
    }

    private int slot(String name) {
        return slots.computeIfAbsent(name, n -> slots.size());
    }

    /** Reads SQL up to its semicolon, or up to a command that begins with a backslash, which is read too. */
    private void sql() {
        StringBuilder sql = new StringBuilder();
        int begin = -1;
        StatementEnds ends = new StatementEnds();
        boolean isComplete = false;
        while (at < text.length() && !isComplete) {
            char c = text.charAt(at);
            int end = SqlText.end(text, at);
            if (sql.isEmpty() && (Character.isWhitespace(c) || text.startsWith("--", at))) {
                at = end;
                continue;
            }
            boolean isEscaped = text.startsWith("\\;", at) || text.startsWith("\\:", at);
            if (c == '\\' && !isEscaped) {
                break;
            }
            begin = begin < 0 ? at : begin;
            if (isEscaped) {
                ends.isEnd(text, at + 1, at + 2);
                sql.append(text.charAt(at + 1));
                at += 2;
            } else if (ends.isEnd(text, at, end)) {
                isComplete = true;
                at++;
            } else {
                sql.append(text, at, end);
                at = end;
            }
        }
        if (isComplete || isMoreThanComments(sql)) {
            send(sql.toString().strip(), line(begin));
        }
        if (!isComplete && at < text.length()) {
            command();
        }
    }

    /** Whether there is something to send. A comment that does not end would hide what follows, which the server then says. */
    private static boolean isMoreThanComments(CharSequence sql) {
        String whole = sql.toString();
        int end;
        for (int at = 0; at < whole.length(); at = end) {
            end = SqlText.end(whole, at);
            boolean isOpen = SqlText.end(whole + " ", at) > whole.length();
            boolean isComment = whole.startsWith("--", at) || (whole.startsWith("/*", at) && !isOpen);
            if (!isComment && !Character.isWhitespace(whole.charAt(at))) {
                return true;
            }
        }
        return false;
    }

    private void send(String sql, int line) {
        List<String> parts = new ArrayList<>();
        List<Integer> partSlots = new ArrayList<>();
        List<Variable> quoted = new ArrayList<>();
        int partStart = 0;
        int quoteEnd = 0;
        boolean isQuote = false;
        int next = 0;
        while (next < sql.length()) {
            if (next >= quoteEnd) {
                quoteEnd = SqlText.end(sql, next);
                boolean isComment = sql.startsWith("--", next) || sql.startsWith("/*", next);
                isQuote = quoteEnd > next + 1 && !isComment;
            }
            int nameEnd = sql.charAt(next) == ':' ? ScriptText.nameEnd(sql, next + 1) : 0;
            if (nameEnd <= next + 1) {
                next = sql.charAt(next) == ':' ? afterColons(sql, next) : next + 1;
                continue;
            }
            String name = sql.substring(next + 1, nameEnd);
            parts.add(sql.substring(partStart, next));
            partSlots.add(slot(name));
            if (isQuote) {
                quoted.add(new Variable(name, slot(name)));
            }
            partStart = nameEnd;
            next = nameEnd;
        }
        parts.add(sql.substring(partStart));
        NamedSql named = NamedSql.of(sql);
        commands.add(new Send(
                line,
                name(sql),
                named,
                named.names().stream().map(this::slot).toList(),
                parts,
                partSlots,
                quoted,
                null));
        mayGather = true;
    }

    /** The end of the colons that begin here. */
    private static int afterColons(String sql, int from) {
        int end = from;
        while (end < sql.length() && sql.charAt(end) == ':') {
            end++;
        }
        return end;
    }

    /** A name for SQL in reports: its verb and its first table. */
    private String name(String sql) {
        String verb = SqlVerb.of(sql).word();
        Matcher table = TABLE.matcher(sql);
        boolean hasTable = !SqlVerb.of(sql).isOfTransaction() && table.find();
        String base = (verb.isEmpty() ? "empty" : verb) + (hasTable ? "_" + table.group(2) : "");
        base = base.substring(0, Math.min(base.length(), MAX_NAME));
        String name = base;
        for (int i = 2; !names.add(name); i++) {
            name = base + "_" + i;
        }
        return name;
    }

    /** Reads the command that begins with the backslash here, to the end of its last line. */
    private void command() {
        int begin = at;
        int end = ScriptText.commandEnd(text, begin + 1);
        at = Math.min(end + 1, text.length());
        Word command = word(begin + 1, end);
        if (command == null) {
            return;
        }
        int rest = command.at + command.text.length();
        String name = command.text.toLowerCase(Locale.ROOT);
        boolean gathers = mayGather;
        mayGather = false;
        switch (name) {
            case "set" -> set(begin, rest, end);
            case "if" -> begin(begin, rest, end);
            case "elif" -> elseIf(begin, rest, end);
            case "else" -> orElse(begin, words(rest, end));
            case "endif" -> endIf(begin, words(rest, end));
            case "sleep" -> sleep(begin, words(rest, end));
            case "gset", "aset" -> gather(begin, name, words(rest, end), gathers);
            default ->
                problem(
                        begin,
                        REFUSED.containsKey(name)
                                ? "\\" + name + " is not supported: " + REFUSED.get(name)
                                : "invalid command \"" + command.text + "\"" + Nearest.hint(name, KNOWN));
        }
    }

    /** The next word before the end; null if there is none. */
    private @Nullable Word word(int from, int end) {
        int start = from;
        while (start < end) {
            int continued = ScriptText.continuation(text, start);
            if (continued == start && !ScriptText.isSpace(text.charAt(start))) {
                break;
            }
            start = Math.max(continued, start + 1);
        }
        int wordEnd = start;
        while (wordEnd < end
                && !ScriptText.isSpace(text.charAt(wordEnd))
                && ScriptText.continuation(text, wordEnd) == wordEnd) {
            wordEnd++;
        }
        return wordEnd > start ? new Word(text.substring(start, wordEnd), start) : null;
    }

    private List<Word> words(int from, int end) {
        List<Word> words = new ArrayList<>();
        for (Word next = word(from, end); next != null; next = word(next.at + next.text.length(), end)) {
            words.add(next);
        }
        return words;
    }

    /** The expression between these positions; if it has a problem, which is reported, any other. */
    private Expression expression(String command, int from, int end) {
        try {
            return new ExpressionParser(text, from, end, this::slot).parse();
        } catch (ExpressionException e) {
            problem(e.at(), e.getMessage() + " in command \"" + command + "\"");
            return Expression.Constant.NULL;
        }
    }

    private void set(int begin, int rest, int end) {
        Word variable = word(rest, end);
        if (variable == null) {
            problem(begin, "missing argument in command \"set\"");
            return;
        }
        if (!ScriptText.isName(variable.text)) {
            problem(variable.at, "invalid variable name: \"" + variable.text + "\"");
            return;
        }
        Variable target = new Variable(variable.text, slot(variable.text));
        Expression value = expression("set", variable.at + variable.text.length(), end);
        commands.add(new Assign(line(begin), target, value));
    }

    private void begin(int begin, int rest, int end) {
        open.push(new Conditional(begin, commands.size()));
        commands.add(new Branch(line(begin), expression("if", rest, end), 0));
    }

    private void elseIf(int begin, int rest, int end) {
        Expression condition = expression("elif", rest, end);
        Conditional inner = ofElse(begin, "elif");
        if (inner != null) {
            endBranch(inner, begin);
            inner.branch = commands.size();
            commands.add(new Branch(line(begin), condition, 0));
        }
    }

    private void orElse(int begin, List<Word> arguments) {
        refuse(arguments, 0, "unexpected argument in command \"else\"");
        Conditional inner = ofElse(begin, "else");
        if (inner != null) {
            endBranch(inner, begin);
            inner.branch = -1;
            inner.hasElse = true;
        }
    }

    /** The conditional that a command divides; null if it cannot. */
    private @Nullable Conditional ofElse(int begin, String command) {
        Conditional inner = open.peek();
        if (inner == null) {
            problem(begin, "\\" + command + " without matching \\if");
        } else if (inner.hasElse) {
            problem(begin, "\\" + command + " after \\else");
            return null;
        }
        return inner;
    }

    /** Ends a branch with a jump to the end of the conditional; the condition before it continues after the jump. */
    private void endBranch(Conditional conditional, int begin) {
        conditional.jumps.add(commands.size());
        commands.add(new Jump(line(begin), 0));
        otherwise(conditional);
    }

    private void otherwise(Conditional conditional) {
        if (conditional.branch >= 0) {
            Branch known = (Branch) commands.get(conditional.branch);
            commands.set(conditional.branch, new Branch(known.line(), known.condition(), commands.size()));
        }
    }

    private void endIf(int begin, List<Word> arguments) {
        refuse(arguments, 0, "unexpected argument in command \"endif\"");
        Conditional inner = open.poll();
        if (inner == null) {
            problem(begin, "\\endif without matching \\if");
            return;
        }
        otherwise(inner);
        for (int jump : inner.jumps) {
            commands.set(jump, new Jump(commands.get(jump).line(), commands.size()));
        }
    }

    /** Reports the first argument beyond a number of them; returns whether there is one. */
    private boolean refuse(List<Word> arguments, int most, String problem) {
        if (arguments.size() > most) {
            problem(arguments.get(most).at, problem);
        }
        return arguments.size() > most;
    }

    private void gather(int begin, String name, List<Word> arguments, boolean isAfterSql) {
        if (refuse(arguments, 1, "too many arguments in command \"" + name + "\"")) {
            return;
        }
        if (!isAfterSql) {
            problem(begin, "\\" + name + " must follow an SQL command");
            return;
        }
        Send send = (Send) commands.get(commands.size() - 1);
        String prefix = arguments.isEmpty() ? "" : arguments.get(0).text;
        commands.set(
                commands.size() - 1,
                new Send(
                        send.line(),
                        send.name(),
                        send.sql(),
                        send.slots(),
                        send.parts(),
                        send.partSlots(),
                        send.quoted(),
                        new Gather(name.equals("aset"), prefix)));
    }

    private void sleep(int begin, List<Word> arguments) {
        if (arguments.isEmpty()) {
            problem(begin, "missing argument in command \"sleep\"");
            return;
        }
        if (refuse(arguments, 2, "too many arguments in command \"sleep\"")) {
            return;
        }
        Word time = arguments.get(0);
        String unit = arguments.size() > 1 ? arguments.get(1).text : "";
        Matcher number = SLEEP.matcher(time.text);
        boolean isVariable = time.text.startsWith(":");
        if (isVariable ? !ScriptText.isName(time.text.substring(1)) : !number.matches()) {
            problem(time.at, "invalid sleep time, must be an integer (" + time.text + ") in command \"sleep\"");
            return;
        }
        if (!isVariable && number.group(2) != null) {
            if (!unit.isEmpty()) {
                problem(time.at, "invalid sleep time, must be an integer (" + time.text + ") in command \"sleep\"");
                return;
            }
            unit = number.group(2);
        }
        Long micros = UNITS.get(unit.isEmpty() ? "s" : unit.toLowerCase(Locale.ROOT));
        if (micros == null) {
            problem(
                    arguments.get(arguments.size() - 1).at,
                    "unrecognized time unit, must be us, ms or s (" + unit + ") in command \"sleep\"");
            return;
        }
        commands.add(new Sleep(
                line(begin),
                isVariable ? 0 : Long.parseLong(number.group(1)),
                isVariable ? new Variable(time.text.substring(1), slot(time.text.substring(1))) : null,
                micros));
    }
}
