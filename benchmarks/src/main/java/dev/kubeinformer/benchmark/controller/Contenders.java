package dev.kubeinformer.benchmark.controller;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.JarPath;
import dev.kubeinformer.benchmark.compare.SideProgram;

/**
 * Programs by name. Those outside of the Maven build are built on demand: the JOSDK
 * program by Maven with its own versions, the client-go program by Go.
 */
final class Contenders {

	/** Jars that our controller does not need. */
	private static final Pattern FOREIGN = Pattern
		.compile("fabric8|vertx|netty|zjsonpatch|vavr|[pP]aguro|pcollections|jmh|jopt|commons-math|xchart|picocli"
				+ "|kubernetes-informer-test|/test-support/|jetty|spring|tomcat|micrometer|autoconfigure|/starter/");

	private static final String NAMES = "bare-create, bare-apply, ours, ours-c1, ours-aot, ours-aot-c1, josdk, josdk-vertx, josdk-always, "
			+ "josdk-dependent, client-go, client-go-always, controller-runtime";

	private static final String PACKAGE = Contenders.class.getPackageName() + ".";

	private static final String C1 = "-XX:TieredStopAtLevel=1";

	private static final String OUR_MAIN = "OurController";

	private final Path kubeconfig;

	private final int objects;

	private final int workers;

	private final List<String> flags;

	private final Path out;

	/**
	 * Class path of jars, because applications are deployed so, and an AOT cache requires
	 * it.
	 */
	private final String classPath;

	private @Nullable String josdkClassPath;

	private List<String> trained = List.of();

	Contenders(Path kubeconfig, int objects, int workers, List<String> flags, Path out) throws IOException {
		this.kubeconfig = kubeconfig.toAbsolutePath();
		this.objects = objects;
		this.workers = workers;
		this.flags = flags;
		this.out = out;
		this.classPath = JarPath.of(ownClassPath(), out.toAbsolutePath().resolve("class-path"));
	}

	/**
	 * Runs {@code ours-aot} and {@code ours-aot-c1} in another JDK with an AOT cache.
	 * @param home the directory of a JDK, version 25 or later
	 * @param cache the AOT cache
	 */
	void trained(Path home, Path cache) {
		this.trained = List.of(home.resolve("bin/java").toString(), "-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-cp",
				this.classPath);
	}

	/**
	 * Returns the program of a name.
	 * @param name the name
	 * @return the program
	 * @throws IOException if it cannot be built
	 * @throws InterruptedException if interrupted
	 */
	Contender named(String name) throws IOException, InterruptedException {
		return switch (name) {
			case "bare-create" -> bare(name, "create");
			case "bare-apply" -> bare(name, "apply");
			case "ours" -> ours(name, List.of());
			case "ours-c1" -> ours(name, List.of(C1));
			case "ours-aot" -> trained(name, List.of());
			case "ours-aot-c1" -> trained(name, List.of(C1));
			case "josdk" -> josdk(name, "compare");
			case "josdk-vertx" -> josdk(name, "compare-vertx");
			case "josdk-always" -> josdk(name, "always");
			case "josdk-dependent" -> josdk(name, "dependent");
			case "client-go" -> go(name, ".", List.of());
			case "client-go-always" -> go(name, ".", List.of("-always"));
			case "controller-runtime" -> go(name, "./runtime", List.of());
			default -> throw new IllegalArgumentException("No client '%s'; there are %s".formatted(name, NAMES));
		};
	}

	private Contender bare(String name, String method) {
		return new Contender(name,
				(task) -> own(List.of(), "BareWrites", List.of(method, Integer.toString(this.objects))), false, false);
	}

	private Contender ours(String name, List<String> more) {
		return new Contender(name, (task) -> own(more, OUR_MAIN, task.options()), true, true);
	}

	private Contender trained(String name, List<String> more) {
		return new Contender(name, (task) -> trainedCommand(name, more, task), true, true);
	}

	private List<String> trainedCommand(String name, List<String> more, Task task) {
		if (this.trained.isEmpty()) {
			throw new IllegalStateException("'%s' needs --aot-jdk".formatted(name));
		}
		List<String> command = new ArrayList<>(this.trained);
		command.addAll(more);
		command.addAll(List.of(PACKAGE + OUR_MAIN, this.kubeconfig.toString(), Integer.toString(this.workers)));
		command.addAll(task.options());
		return command;
	}

	/**
	 * Returns the command of our controller in a JVM that creates an AOT cache.
	 * @param home the directory of a JDK, version 25 or later
	 * @param cache the file for the cache
	 * @param task the task
	 * @return the command
	 */
	List<String> training(Path home, Path cache, Task task) {
		List<String> command = new ArrayList<>(
				List.of(home.resolve("bin/java").toString(), "-XX:AOTCacheOutput=" + cache, "-cp", this.classPath,
						PACKAGE + OUR_MAIN, this.kubeconfig.toString(), Integer.toString(this.workers)));
		command.addAll(task.options());
		return command;
	}

	private static String ownClassPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !FOREIGN.matcher(ending(entry)).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private List<String> own(List<String> more, String main, List<String> options) {
		return java(more, this.classPath, PACKAGE + main, options);
	}

	// Returns the path below the local repository or a module's directory, because the
	// parents may have any name.
	private static String ending(String entry) {
		int repository = entry.lastIndexOf("/repository/");
		Path path = Path.of(entry);
		int names = path.getNameCount();
		return (repository >= 0) ? entry.substring(repository) : "/" + path.subpath(Math.max(0, names - 3), names);
	}

	private List<String> java(List<String> more, String classPath, String main, List<String> options) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(this.flags);
		command.addAll(more);
		command.addAll(List.of("-cp", classPath, main, this.kubeconfig.toString(), Integer.toString(this.workers)));
		command.addAll(options);
		return command;
	}

	private Contender josdk(String name, String variant) throws IOException, InterruptedException {
		Path directory = SideProgram.sources("josdk");
		String known = this.josdkClassPath;
		if (known == null) {
			Path maven = directory.resolve("../../mvnw").normalize();
			SideProgram.build(directory, List.of(maven.toString(), "-B", "-ntp", "-q", "compile"));
			known = JarPath.of(
					directory.resolve("target/classes") + File.pathSeparator
							+ Files.readString(directory.resolve("target/classpath.txt")).strip(),
					this.out.toAbsolutePath().resolve("josdk-class-path"));
			this.josdkClassPath = known;
		}
		String classPath = known;
		return new Contender(name, (task) -> {
			List<String> options = new ArrayList<>(List.of(variant));
			options.addAll(task.options());
			return java(List.of(), classPath, "dev.kubeinformer.benchmark.josdk.JosdkController", options);
		}, true, false);
	}

	private Contender go(String name, String source, List<String> options) throws IOException, InterruptedException {
		Path program = SideProgram.go("go-controller", source, this.out.resolve(name));
		return new Contender(name, (task) -> {
			List<String> command = new ArrayList<>(List.of(program.toString(), "-kubeconfig",
					this.kubeconfig.toString(), "-workers", Integer.toString(this.workers)));
			command.addAll(options);
			command.addAll(task.flags());
			return command;
		}, true, false);
	}

}
