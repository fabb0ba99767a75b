package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import io.pgstress.result.RemarkText.Figure;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Types;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reads the program with its compiler: wherever a remark is made, it has the figures that the texts of its code need, by name, of the
 * right kind, and no others. Lines that no other test runs are included.
 */
final class RemarkFiguresTest {
    private static final Path MAIN = Path.of("src/main/java");
    private static final String CODE = RemarkCode.class.getName();

    private static final List<String> PROBLEMS = new ArrayList<>();
    private static final Set<RemarkCode> MADE = EnumSet.noneOf(RemarkCode.class);

    @BeforeAll
    static void readTheProgram() throws IOException, URISyntaxException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> all = Files.walk(MAIN)) {
            List<Path> files = new ArrayList<>();
            for (Path file : all.filter(f -> f.toString().endsWith(".java")).toList()) {
                if (Files.readString(file).contains("RemarkCode")
                        && !file.endsWith("RemarkCode.java")
                        && !file.endsWith("Remark.java")) {
                    files.add(file);
                }
            }
            String classes = Path.of(RemarkCode.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI())
                            .toString()
                    + File.pathSeparator
                    + System.getProperty("java.class.path");
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    null,
                    List.of("-proc:none", "-classpath", classes),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            Program program = new Program(Trees.instance(task), task);
            units.forEach(unit -> program.scan(unit, null));
            program.starts.forEach(program::check);
        }
    }

    @Test
    void everyRemarkHasTheFiguresOfItsTexts() {
        assertThat(PROBLEMS).isEmpty();
    }

    @Test
    void everyCodeIsUsed() {
        assertThat(MADE).containsExactlyInAnyOrder(RemarkCode.values());
    }

    /** Sources of the program, with what they call. */
    private static final class Program extends TreePathScanner<Void, Void> {
        /** Where remarks begin: a call of {@code RemarkCode.with} or {@code RemarkCode.remark}. */
        private final List<TreePath> starts = new ArrayList<>();

        private final Map<Element, List<TreePath>> calls = new HashMap<>();
        private final Map<Element, TreePath> declarations = new HashMap<>();

        /** Where methods of variables and parameters are called. */
        private final Map<Element, List<TreePath>> selects = new HashMap<>();

        private final Trees trees;
        private final Types types;
        private final TypeMirror map;

        Program(Trees trees, JavacTask task) {
            this.trees = trees;
            this.types = task.getTypes();
            this.map = types.erasure(
                    task.getElements().getTypeElement(Map.class.getName()).asType());
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            Element method = trees.getElement(getCurrentPath());
            calls.computeIfAbsent(method, m -> new ArrayList<>()).add(getCurrentPath());
            if (isOfCode(method)
                    && Set.of("with", "remark").contains(method.getSimpleName().toString())) {
                starts.add(getCurrentPath());
            }
            return super.visitMethodInvocation(call, null);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree select, Void none) {
            Element of = trees.getElement(new TreePath(getCurrentPath(), select.getExpression()));
            selects.computeIfAbsent(of, o -> new ArrayList<>()).add(getCurrentPath());
            return super.visitMemberSelect(select, null);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree reference, Void none) {
            if (isOfCode(trees.getElement(getCurrentPath()))
                    && Set.of("with", "remark").contains(reference.getName().toString())) {
                problem(getCurrentPath(), "a reference to a method has no code");
            }
            return super.visitMemberReference(reference, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            declarations.put(trees.getElement(getCurrentPath()), getCurrentPath());
            return super.visitMethod(method, null);
        }

        @Override
        public Void visitVariable(VariableTree variable, Void none) {
            declarations.put(trees.getElement(getCurrentPath()), getCurrentPath());
            return super.visitVariable(variable, null);
        }

        private static boolean isOfCode(Element method) {
            return method != null && method.getEnclosingElement().toString().equals(CODE);
        }

        /** Checks the remark that begins with this call. */
        void check(TreePath start) {
            Map<String, TypeMirror> values = new TreeMap<>();
            TreePath call = start;
            while (name(call).equals("with")) {
                List<? extends ExpressionTree> arguments = ((MethodInvocationTree) call.getLeaf()).getArguments();
                String figure = text(new TreePath(call, arguments.get(0)));
                TypeMirror before = values.put(figure, trees.getTypeMirror(new TreePath(call, arguments.get(1))));
                if (before != null) {
                    problem(call, figure + " is given twice");
                }
                TreePath select = next(call);
                if (select == null) {
                    problem(call, "the remark is finished neither where it begins nor by a method that gets it");
                    return;
                }
                call = select.getParentPath();
            }
            ExpressionTree code =
                    ((MemberSelectTree) ((MethodInvocationTree) start.getLeaf()).getMethodSelect()).getExpression();
            Set<RemarkCode> codes = EnumSet.noneOf(RemarkCode.class);
            codes(new TreePath(start, code), codes, new HashSet<>());
            if (codes.isEmpty()) {
                problem(start, "the code of the remark is unknown");
            }
            MADE.addAll(codes);
            codes.forEach(each -> compare(start, each, values));
        }

        /** Where the result of a call is used: there, or by the method to which it is passed; null: not in one place. */
        private TreePath next(TreePath call) {
            TreePath parent = call.getParentPath();
            if (parent.getLeaf() instanceof MethodInvocationTree passed
                    && passed.getArguments().contains(call.getLeaf())
                    && trees.getElement(parent) instanceof ExecutableElement method) {
                Element parameter =
                        method.getParameters().get(passed.getArguments().indexOf((ExpressionTree) call.getLeaf()));
                List<TreePath> uses = selects.getOrDefault(parameter, List.of());
                return uses.size() == 1 ? uses.get(0) : null;
            }
            return parent.getLeaf() instanceof MemberSelectTree ? parent : null;
        }

        private void compare(TreePath at, RemarkCode code, Map<String, TypeMirror> values) {
            Map<String, Figure> figures = code.figures();
            figures.values().stream()
                    .filter(figure -> !figure.isOptional() && !values.containsKey(figure.name()))
                    .forEach(figure -> problem(at, code + " lacks its figure " + figure.name()));
            values.forEach((name, type) -> {
                Figure figure = figures.get(name);
                if (figure == null) {
                    problem(at, code + " has no figure " + name);
                } else if (!fits(figure, type)) {
                    problem(at, code + ": " + type + " is no type of " + figure);
                }
            });
        }

        private boolean fits(Figure figure, TypeMirror type) {
            String name = type instanceof DeclaredType declared
                    ? declared.asElement().toString()
                    : type.getKind().name();
            boolean isWhole =
                    Set.of("INT", "LONG", "java.lang.Integer", "java.lang.Long").contains(name);
            boolean isNumber = isWhole || Set.of("DOUBLE", "java.lang.Double").contains(name);
            boolean isMap = type.getKind() == TypeKind.DECLARED && types.isAssignable(types.erasure(type), map);
            if (figure.conversion().isEmpty()) {
                return !isMap;
            }
            boolean isKnownOnlyWhenItRuns = isMap || name.equals(Object.class.getName());
            return isKnownOnlyWhenItRuns || (figure.isWhole() ? isWhole : isNumber);
        }

        private static String name(TreePath call) {
            return ((MemberSelectTree) ((MethodInvocationTree) call.getLeaf()).getMethodSelect())
                    .getIdentifier()
                    .toString();
        }

        /** The constant text of an expression. */
        private String text(TreePath expression) {
            if (expression.getLeaf() instanceof LiteralTree literal) {
                return String.valueOf(literal.getValue());
            }
            if (trees.getElement(expression) instanceof VariableElement named && named.getConstantValue() != null) {
                return named.getConstantValue().toString();
            }
            problem(expression, "the name of the figure is not a constant");
            return expression.getLeaf().toString();
        }

        /** Adds the codes that an expression can be; those of a parameter are what the callers pass. */
        private void codes(TreePath expression, Set<RemarkCode> codes, Set<Element> seen) {
            Tree leaf = expression.getLeaf();
            if (leaf instanceof ParenthesizedTree in) {
                codes(new TreePath(expression, in.getExpression()), codes, seen);
            } else if (leaf instanceof ConditionalExpressionTree either) {
                codes(new TreePath(expression, either.getTrueExpression()), codes, seen);
                codes(new TreePath(expression, either.getFalseExpression()), codes, seen);
            } else if (leaf instanceof SwitchExpressionTree) {
                results(expression, each -> codes(each, codes, seen));
            } else if (leaf instanceof MethodInvocationTree) {
                TreePath method = declarations.get(trees.getElement(expression));
                if (method != null && seen.add(trees.getElement(expression))) {
                    results(method, each -> codes(each, codes, seen));
                }
            } else {
                ofElement(expression, codes, seen);
            }
        }

        private void ofElement(TreePath expression, Set<RemarkCode> codes, Set<Element> seen) {
            Element element = trees.getElement(expression);
            TreePath declaration = declarations.get(element);
            if (element != null && element.getKind() == ElementKind.ENUM_CONSTANT) {
                codes.add(RemarkCode.valueOf(element.getSimpleName().toString()));
            } else if (declaration == null || !seen.add(element)) {
                problem(expression, "the code of the remark is not a constant, a variable or a parameter");
            } else if (element.getKind() == ElementKind.PARAMETER
                    && element.getEnclosingElement() instanceof ExecutableElement method) {
                int at = method.getParameters().indexOf(element);
                calls.getOrDefault(method, List.of())
                        .forEach(call -> codes(
                                new TreePath(
                                        call,
                                        ((MethodInvocationTree) call.getLeaf())
                                                .getArguments()
                                                .get(at)),
                                codes,
                                seen));
            } else if (((VariableTree) declaration.getLeaf()).getInitializer() != null) {
                codes(new TreePath(declaration, ((VariableTree) declaration.getLeaf()).getInitializer()), codes, seen);
            } else {
                problem(expression, "the code of the remark has no known value");
            }
        }

        /** What a method or a switch expression can have as its value. */
        private static void results(TreePath of, Consumer<TreePath> found) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitReturn(ReturnTree result, Void none) {
                    found.accept(new TreePath(getCurrentPath(), result.getExpression()));
                    return null;
                }

                @Override
                public Void visitYield(YieldTree result, Void none) {
                    found.accept(new TreePath(getCurrentPath(), result.getValue()));
                    return null;
                }

                @Override
                public Void visitCase(CaseTree one, Void none) {
                    if (one.getBody() instanceof ExpressionTree value) {
                        found.accept(new TreePath(getCurrentPath(), value));
                        return null;
                    }
                    return super.visitCase(one, null);
                }

                @Override
                public Void visitLambdaExpression(LambdaExpressionTree other, Void none) {
                    return null;
                }

                @Override
                public Void visitClass(ClassTree other, Void none) {
                    return null;
                }
            }.scan(of, null);
        }

        private void problem(TreePath at, String what) {
            CompilationUnitTree unit = at.getCompilationUnit();
            long position = trees.getSourcePositions().getStartPosition(unit, at.getLeaf());
            PROBLEMS.add(MAIN.relativize(Path.of(unit.getSourceFile().getName())) + ":"
                    + Objects.requireNonNull(unit.getLineMap()).getLineNumber(position) + ": " + what);
        }
    }
}
