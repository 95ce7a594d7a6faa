package dev.kubeinformer.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import org.jspecify.annotations.Nullable;

/**
 * Source file that a block is made. Complete files are compiled as they are. Types get a
 * package and imports, statements a method, and members a class. An ellipsis is an empty
 * statement, or a body that throws; braces that are left open are closed.
 */
class JavaSource extends SimpleJavaFileObject {

	private static final Pattern TYPE = Pattern.compile("\\bclass ([^{};]*)\\{ *… *}");

	private static final Pattern BODY = Pattern.compile("\\{ *… *}");

	private static final Pattern STATEMENT = Pattern.compile("(?m)^(\\s*)…$");

	private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?[\\w.*]+;");

	private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|enum|record) +(\\w+)");

	/**
	 * Pages have no newer code. Later compilers take members without a class for a file.
	 */
	private static final String SOURCE = String.valueOf(Math.min(21, Runtime.version().feature()));

	private static final String CONFIGURATION = "@org.springframework.context.annotation.Configuration(proxyBeanMethods = false) ";

	private final Block block;

	private final String packageName;

	private final Shape shape;

	private final Set<String> types;

	private String text = "";

	JavaSource(Block block, String packageName, Shape shape, Set<String> types) {
		super(URI.create("string:///" + packageName.replace('.', '/') + "/" + fileName(block, shape, types) + ".java"),
				Kind.SOURCE);
		this.block = block;
		this.packageName = packageName;
		this.shape = shape;
		this.types = types;
	}

	private static String fileName(Block block, Shape shape, Set<String> types) {
		return types.isEmpty() ? name(block) : types.iterator().next();
	}

	private static String name(Block block) {
		return (block.isHidden() ? "Context" : "Block") + block.line();
	}

	/**
	 * Writes the text of the file.
	 * @param imports finds the imports that are left out
	 * @param known the types of the same package
	 * @param context the comment that holds here; none if it is empty
	 */
	void complete(Imports imports, Set<String> known, List<Block> context) {
		String code = elided(this.block);
		if (this.shape == Shape.FILE) {
			this.text = "\n" + code;
			return;
		}
		Set<String> names = new LinkedHashSet<>(known);
		StringBuilder head = new StringBuilder("package " + this.packageName + "; ");
		String given = String.join(" ", IMPORT.matcher(code).results().map((found) -> found.group()).toList());
		head.append(given.replace('\n', ' '));
		for (Block each : context) {
			head.append(" import static ").append(this.packageName).append('.').append(name(each)).append(".*; ");
			names.addAll(declared(each.code()));
		}
		names.addAll(declared(code));
		names.addAll(
				IMPORT.matcher(code).results().map((found) -> found.group().replaceAll(".*\\.(\\w+);", "$1")).toList());
		head.append(imports.of(code, names));
		head.append(" import static org.assertj.core.api.Assertions.assertThat; ");
		head.append(" import static org.assertj.core.api.Assertions.assertThatExceptionOfType; ");
		head.append(" import static org.awaitility.Awaitility.await; ");
		if (code.contains("WireMock")) {
			head.append(" import static com.github.tomakehurst.wiremock.client.WireMock.*; ");
			head.append(" import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options; ");
		}
		String body = IMPORT.matcher(code).replaceAll("");
		this.text = switch (this.shape) {
			case TYPES -> head + "\n" + body;
			case MEMBERS -> head + (code.contains("@Bean") ? CONFIGURATION : "") + "class " + name(this.block) + " {\n"
					+ body + "\n}";
			default -> head + "class " + name(this.block) + " { void run() throws Exception {\n" + body + "\n} }";
		};
	}

	/**
	 * The line on the page of a line of this file, of which the first is written here.
	 */
	String at(long line) {
		return this.block.at((int) line - 1);
	}

	Block block() {
		return this.block;
	}

	String packageName() {
		return this.packageName;
	}

	/**
	 * The name of the class that was made around statements or members.
	 */
	String className() {
		return this.packageName + "." + name(this.block);
	}

	boolean isStatements() {
		return this.shape == Shape.STATEMENTS;
	}

	Set<String> types() {
		return this.types;
	}

	@Override
	public CharSequence getCharContent(boolean ignoreEncodingErrors) {
		return this.text;
	}

	private static String elided(Block block) {
		String types = TYPE.matcher(block.code()).replaceAll("abstract class $1{ }");
		String body = BODY.matcher(types).replaceAll("{ throw new UnsupportedOperationException(); }");
		return closed(STATEMENT.matcher(body).replaceAll("$1;"));
	}

	/**
	 * The code with the braces that it leaves open, as where a class goes on elsewhere.
	 */
	private static String closed(String code) {
		String bare = Imports.bare(code);
		long open = bare.chars().filter((character) -> character == '{').count();
		long closed = bare.chars().filter((character) -> character == '}').count();
		return code + "}".repeat((int) Math.max(0, open - closed));
	}

	private static Set<String> declared(String code) {
		return new LinkedHashSet<>(DECLARED.matcher(code).results().map((found) -> found.group(1)).toList());
	}

	/**
	 * Finds what a block is.
	 */
	static Parsed parse(Block block, StandardJavaFileManager files) {
		String code = elided(block);
		if (block.isHidden() && !code.startsWith("package ")) {
			return new Parsed(Shape.MEMBERS, null, Set.of());
		}
		for (Shape shape : Shape.values()) {
			Parsed parsed = parse(shape, code, files);
			if (parsed != null) {
				return parsed;
			}
		}
		// The compiler reports the problem.
		return new Parsed(Shape.MEMBERS, null, Set.of());
	}

	private static @Nullable Parsed parse(Shape shape, String code, StandardJavaFileManager files) {
		String text = switch (shape) {
			case FILE, TYPES -> code;
			case STATEMENTS -> "class A { void a() {\n" + IMPORT.matcher(code).replaceAll("") + "\n} }";
			case MEMBERS -> "class A {\n" + IMPORT.matcher(code).replaceAll("") + "\n}";
		};
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
			.getTask(null, files, problems, List.of("-proc:none", "-source", SOURCE), null, List.of(new Text(text)));
		try {
			CompilationUnitTree tree = task.parse().iterator().next();
			boolean failed = problems.getDiagnostics()
				.stream()
				.anyMatch((problem) -> problem.getKind() == Diagnostic.Kind.ERROR);
			if (failed || (shape == Shape.FILE && tree.getPackageName() == null)) {
				return null;
			}
			Set<String> types = new LinkedHashSet<>();
			for (Tree type : tree.getTypeDecls()) {
				if (type instanceof ClassTree declaration) {
					types.add(declaration.getSimpleName().toString());
				}
			}
			if (shape == Shape.TYPES && types.isEmpty()) {
				return null;
			}
			String packageName = (shape == Shape.FILE) ? tree.getPackageName().toString() : null;
			return new Parsed(shape, packageName, (shape.ordinal() <= Shape.TYPES.ordinal()) ? types : Set.of());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Shape of a block. */
	enum Shape {

		FILE, TYPES, STATEMENTS, MEMBERS

	}

	/** Result of parsing: the shape, the declared package and the top-level types. */
	record Parsed(Shape shape, @Nullable String packageName, Set<String> types) {
	}

	private static final class Text extends SimpleJavaFileObject {

		private final String text;

		Text(String text) {
			super(URI.create("string:///A.java"), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
