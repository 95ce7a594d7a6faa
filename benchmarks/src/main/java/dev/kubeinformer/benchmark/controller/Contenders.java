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

import dev.kubeinformer.benchmark.compare.SideProgram;

/**
 * The programs by name. Those that are no part of the build are built when they are
 * needed: the one of JOSDK by Maven, with versions of its own, the one of client-go by
 * Go.
 */
final class Contenders {

	/** What a controller of ours does not need. */
	private static final Pattern FOREIGN = Pattern
		.compile("fabric8|vertx|netty|zjsonpatch|vavr|[pP]aguro|pcollections|jmh|jopt|commons-math|xchart|picocli"
				+ "|kubernetes-informer-test|/test-support/|jetty|spring|tomcat|micrometer|autoconfigure|/starter/");

	private final Path kubeconfig;

	private final int objects;

	private final int workers;

	private final List<String> flags;

	private final Path out;

	private boolean josdkBuilt;

	private @Nullable Path goController;

	Contenders(Path kubeconfig, int objects, int workers, List<String> flags, Path out) {
		this.kubeconfig = kubeconfig.toAbsolutePath();
		this.objects = objects;
		this.workers = workers;
		this.flags = flags;
		this.out = out;
	}

	/**
	 * The program of a name.
	 * @param name the name
	 * @return the program
	 * @throws IOException if it cannot be built
	 * @throws InterruptedException if interrupted
	 */
	Contender named(String name) throws IOException, InterruptedException {
		return switch (name) {
			case "bare-create" -> new Contender(name, bare("create"), false, false);
			case "bare-apply" -> new Contender(name, bare("apply"), false, false);
			case "ours" -> new Contender(name, own("OurController", null), true, true);
			case "josdk" -> new Contender(name, josdk("compare"), true, true);
			case "josdk-vertx" -> new Contender(name, josdk("compare-vertx"), true, true);
			case "josdk-always" -> new Contender(name, josdk("always"), true, true);
			case "josdk-dependent" -> new Contender(name, josdk("dependent"), true, true);
			case "client-go" -> new Contender(name, go(false), true, true);
			case "client-go-always" -> new Contender(name, go(true), true, true);
			default -> throw new IllegalArgumentException("No client '%s'; there are %s".formatted(name, names()));
		};
	}

	private static String names() {
		return "bare-create, bare-apply, ours, josdk, josdk-vertx, josdk-always, josdk-dependent, client-go, client-go-always";
	}

	private List<String> bare(String method) {
		List<String> command = own("BareWrites", null);
		command.add(method);
		command.add(Integer.toString(this.objects));
		return command;
	}

	private List<String> own(String main, @Nullable String last) {
		String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !FOREIGN.matcher(ending(entry)).find())
			.collect(Collectors.joining(File.pathSeparator));
		return java(classPath, Contenders.class.getPackageName() + "." + main, last);
	}

	// What follows the local repository, or the directory of a module: what is above may
	// be
	// called anything.
	private static String ending(String entry) {
		int repository = entry.lastIndexOf("/repository/");
		Path path = Path.of(entry);
		int names = path.getNameCount();
		return (repository >= 0) ? entry.substring(repository) : "/" + path.subpath(Math.max(0, names - 3), names);
	}

	private List<String> java(String classPath, String main, @Nullable String last) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(this.flags);
		command.addAll(List.of("-cp", classPath, main, this.kubeconfig.toString(), Integer.toString(this.workers)));
		if (last != null) {
			command.add(last);
		}
		return command;
	}

	private List<String> josdk(String variant) throws IOException, InterruptedException {
		Path directory = SideProgram.sources("josdk");
		Path classPath = directory.resolve("target/classpath.txt");
		Path maven = directory.resolve("../../mvnw").normalize();
		if (!this.josdkBuilt) {
			SideProgram.build(directory, List.of(maven.toString(), "-B", "-ntp", "-q", "compile"));
			this.josdkBuilt = true;
		}
		return java(directory.resolve("target/classes") + File.pathSeparator + Files.readString(classPath).strip(),
				"dev.kubeinformer.benchmark.josdk.JosdkController", variant);
	}

	private List<String> go(boolean always) throws IOException, InterruptedException {
		if (this.goController == null) {
			this.goController = SideProgram.go("go-controller", this.out);
		}
		return List.of(this.goController.toString(), "-kubeconfig", this.kubeconfig.toString(), "-workers",
				Integer.toString(this.workers), "-always=" + always);
	}

}
