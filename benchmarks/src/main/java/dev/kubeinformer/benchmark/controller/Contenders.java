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

	private static final String NAMES = "bare-create, bare-apply, ours, ours-c1, ours-aot, josdk, josdk-vertx, josdk-always, "
			+ "josdk-dependent, client-go, client-go-always, controller-runtime";

	private static final String PACKAGE = Contenders.class.getPackageName() + ".";

	private static final String OUR_MAIN = "OurController";

	private final Path kubeconfig;

	private final int objects;

	private final int workers;

	private final List<String> flags;

	private final Path out;

	private boolean josdkBuilt;

	private List<String> trained = List.of();

	Contenders(Path kubeconfig, int objects, int workers, List<String> flags, Path out) {
		this.kubeconfig = kubeconfig.toAbsolutePath();
		this.objects = objects;
		this.workers = workers;
		this.flags = flags;
		this.out = out;
	}

	/**
	 * Runs {@code ours-aot} in another JDK with an AOT cache.
	 * @param home the directory of a JDK, version 25 or later
	 * @param classPath the jars with which the cache was created
	 * @param cache the AOT cache
	 */
	void trained(Path home, String classPath, Path cache) {
		this.trained = List.of(home.resolve("bin/java").toString(), "-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-cp",
				classPath);
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
			case "ours-c1" -> ours(name, List.of("-XX:TieredStopAtLevel=1"));
			case "ours-aot" -> new Contender(name, this::trainedCommand, true, true);
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

	private List<String> trainedCommand(Task task) {
		if (this.trained.isEmpty()) {
			throw new IllegalStateException("ours-aot needs --aot-jdk");
		}
		List<String> command = new ArrayList<>(this.trained);
		command.addAll(List.of(PACKAGE + OUR_MAIN, this.kubeconfig.toString(), Integer.toString(this.workers)));
		command.addAll(task.options());
		return command;
	}

	/**
	 * Returns the command of our controller in a JVM that creates an AOT cache.
	 * @param home the directory of a JDK, version 25 or later
	 * @param classPath the class path, of jars only, because an AOT cache requires that
	 * @param cache the file for the cache
	 * @param task the task
	 * @return the command
	 */
	List<String> training(Path home, String classPath, Path cache, Task task) {
		List<String> command = new ArrayList<>(
				List.of(home.resolve("bin/java").toString(), "-XX:AOTCacheOutput=" + cache, "-cp", classPath,
						PACKAGE + OUR_MAIN, this.kubeconfig.toString(), Integer.toString(this.workers)));
		command.addAll(task.options());
		return command;
	}

	/**
	 * Returns the part of this process's class path that our controller needs.
	 * @return the class path
	 */
	static String ownClassPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !FOREIGN.matcher(ending(entry)).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private List<String> own(List<String> more, String main, List<String> options) {
		return java(more, ownClassPath(), PACKAGE + main, options);
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
		Path maven = directory.resolve("../../mvnw").normalize();
		if (!this.josdkBuilt) {
			SideProgram.build(directory, List.of(maven.toString(), "-B", "-ntp", "-q", "compile"));
			this.josdkBuilt = true;
		}
		String classPath = directory.resolve("target/classes") + File.pathSeparator
				+ Files.readString(directory.resolve("target/classpath.txt")).strip();
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
