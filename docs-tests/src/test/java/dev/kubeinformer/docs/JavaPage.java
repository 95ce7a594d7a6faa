package dev.kubeinformer.docs;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/**
 * Java code of a page, compiled together: a page is a package, in which its blocks refer
 * to one another. A file that names its package opens that one for the blocks after it; a
 * type whose name is taken opens another.
 */
class JavaPage {

	private static final String VERSION = "java ";

	private static final int BASELINE = 17;

	private static final Pattern NEEDS_APPLICATION = Pattern
		.compile("@(SpringBootTest|InformerHandler|Reconciler|Service|Component|Configuration|Bean)\\b");

	private static final Path CLASSES = Path.of("target", "pages");

	private final PageCompiler compiler;

	private final Page page;

	private final List<JavaSource> sources = new ArrayList<>();

	private final List<String> errors = new ArrayList<>();

	JavaPage(Page page, PageCompiler compiler) {
		this.compiler = compiler;
		this.page = page;
		Map<String, Set<String>> packages = new LinkedHashMap<>();
		Map<JavaSource, List<Block>> contexts = new LinkedHashMap<>();
		String current = "pages." + slug(page);
		List<Block> context = List.of();
		Map<String, Integer> opened = new HashMap<>();
		for (Block block : page.blocks()) {
			if (!isJava(block)) {
				continue;
			}
			JavaSource.Parsed parsed = JavaSource.parse(block, compiler.files());
			if (parsed.packageName() != null) {
				current = parsed.packageName();
				context = List.of();
			}
			Set<String> taken = packages.computeIfAbsent(current, (key) -> new HashSet<>());
			if (parsed.types().stream().anyMatch(taken::contains)) {
				current = "pages." + slug(page) + opened.merge("", 1, Integer::sum);
				taken = packages.computeIfAbsent(current, (key) -> new HashSet<>());
				context = List.of();
			}
			taken.addAll(parsed.types());
			JavaSource source = new JavaSource(block, current, parsed.shape(), parsed.types());
			contexts.put(source, context);
			this.sources.add(source);
			if (block.isHidden() && parsed.packageName() == null) {
				contexts.put(source, List.of());
				context = List.of(block);
			}
		}
		contexts.forEach((source, given) -> source.complete(this.compiler.imports(),
				packages.getOrDefault(source.packageName(), Set.of()), given));
	}

	private boolean isJava(Block block) {
		if (block.isHidden()) {
			return !block.isExcerpt() && !block.isName() && !block.code().startsWith(VERSION);
		}
		Block before = this.page.before(block);
		return block.language().equals("java") && (before == null || !before.isExcerpt())
				&& (before == null || Runtime.version().feature() >= version(before));
	}

	/**
	 * The newest Java that a page asks for; 0 if it asks for none.
	 */
	static int release(Page page) {
		return page.blocks(Block.HIDDEN).stream().mapToInt(JavaPage::version).max().orElse(0);
	}

	private static int version(Block comment) {
		return comment.code().startsWith(VERSION) ? Integer.parseInt(comment.code().substring(VERSION.length()).strip())
				: 0;
	}

	private static String slug(Page page) {
		return page.path().toString().replaceAll("\\.md$", "").toLowerCase(Locale.ROOT).replaceAll("\\W", "_");
	}

	/**
	 * Compiles all of it.
	 * @return this
	 */
	JavaPage compile() throws IOException {
		List<JavaFileObject> files = new ArrayList<>(this.sources);
		applications().forEach((packageName) -> files.add(application(packageName)));
		if (files.isEmpty()) {
			return this;
		}
		this.compiler
			.compile(files, directory(), Math.min(Math.max(BASELINE, release(this.page)), Runtime.version().feature()))
			.stream()
			.filter((problem) -> problem.getKind() == Diagnostic.Kind.ERROR)
			.forEach((problem) -> this.errors.add(at(problem) + ": " + problem.getMessage(Locale.ROOT)));
		return this;
	}

	private static String at(Diagnostic<? extends JavaFileObject> problem) {
		return (problem.getSource() instanceof JavaSource source) ? source.at(problem.getLineNumber())
				: String.valueOf(problem.getSource());
	}

	/**
	 * The packages with beans, or with a test of Spring Boot, and without an application.
	 */
	private Set<String> applications() {
		Set<String> packages = new LinkedHashSet<>();
		Set<String> complete = new HashSet<>();
		for (JavaSource source : this.sources) {
			if (NEEDS_APPLICATION.matcher(source.block().code()).find()) {
				packages.add(source.packageName());
			}
			if (source.block().code().matches("(?s).*@[\\w.]*SpringBootApplication\\b.*")) {
				complete.add(source.packageName());
			}
		}
		packages.removeAll(complete);
		return packages;
	}

	private JavaFileObject application(String packageName) {
		Block block = new Block(Path.of("PageApplication"), 0, "java",
				"package " + packageName + "; @org.springframework.boot.autoconfigure.SpringBootApplication "
						+ "@org.springframework.scheduling.annotation.EnableScheduling class PageApplication { }");
		JavaSource source = new JavaSource(block, packageName, JavaSource.Shape.FILE, Set.of("PageApplication"));
		source.complete(this.compiler.imports(), Set.of(), List.of());
		return source;
	}

	/** Returns the errors of the compiler, each with its place on the page. */
	List<String> errors() {
		return this.errors;
	}

	/**
	 * The names of the classes at the top that a block of the page declares.
	 */
	List<String> classes() {
		List<String> classes = new ArrayList<>();
		for (JavaSource source : this.sources) {
			source.types().forEach((type) -> classes.add(source.packageName() + "." + type));
		}
		return classes;
	}

	/**
	 * Finds a class by its simple name, also one that is nested.
	 */
	String find(String simpleName) throws IOException {
		try (Stream<Path> files = Files.walk(directory())) {
			return files
				.map((file) -> directory().relativize(file).toString().replaceAll("\\.class$", "").replace('/', '.'))
				.filter((name) -> name.endsWith("." + simpleName) || name.endsWith("$" + simpleName))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("There is no " + simpleName));
		}
	}

	/**
	 * The name of the class of the block that has some code.
	 */
	String blockWith(String code) {
		return this.sources.stream()
			.filter((source) -> source.block().code().contains(code))
			.map(JavaSource::className)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No block has " + code));
	}

	/**
	 * The name of the class with what the comment before a block declares.
	 */
	String contextOf(String className) {
		String context = "";
		for (JavaSource source : this.sources) {
			context = source.block().isHidden() ? source.className() : context;
			if (source.className().equals(className)) {
				return context;
			}
		}
		throw new IllegalArgumentException("There is no " + className);
	}

	URLClassLoader classLoader() throws IOException {
		return new URLClassLoader(new URL[] { directory().toUri().toURL() }, JavaPage.class.getClassLoader());
	}

	private Path directory() {
		// Another JVM may compile the same page for another test at the same time.
		return CLASSES.resolve(String.valueOf(ProcessHandle.current().pid())).resolve(slug(this.page)).toAbsolutePath();
	}

	/**
	 * The excerpts that are not in the file that they are said to be of.
	 */
	static List<String> wrongExcerpts(Page page) throws IOException {
		List<String> wrong = new ArrayList<>();
		for (Block block : page.blocks()) {
			Block before = page.before(block);
			if (before != null && before.isExcerpt()) {
				Path file = Page.ROOT.resolve(before.argument());
				if (!Files.exists(file) || !bare(Files.readString(file)).contains(bare(block.code()))) {
					wrong.add(block + " is not in " + before.argument());
				}
			}
		}
		return wrong;
	}

	private static String bare(String code) {
		return code.replaceAll("\\s+", " ").strip();
	}

}
