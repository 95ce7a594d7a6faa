package dev.kubeinformer.benchmark.compare;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;

/**
 * Machine on which the figures were measured.
 *
 * @param processor the model of the processor
 * @param cores the number of cores that the JVM may use
 * @param memory the memory in gigabytes
 * @param jdk the JDK
 * @param os the operating system
 * @param libraries the versions of the clients and of the libraries that they use for
 * decoding
 */
public record Machine(String processor, int cores, long memory, String jdk, String os, Map<String, String> libraries) {

	private static final List<String> LIBRARIES = List.of("client-java", "kubernetes-client", "jackson-databind",
			"okhttp-jvm", "vertx-core");

	private static final Pattern JAR = Pattern.compile("(.+)-(\\d+\\.\\d.*)\\.jar");

	/**
	 * Returns the machine on which this process runs.
	 * @return the machine
	 * @throws IOException if the operating system does not report it
	 */
	public static Machine current() throws IOException {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		return new Machine(model(), Runtime.getRuntime().availableProcessors(),
				Math.round(system.getTotalMemorySize() / 1e9),
				System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
				System.getProperty("os.name") + " " + System.getProperty("os.version"),
				versions(System.getProperty("java.class.path")));
	}

	private static String model() throws IOException {
		Path facts = Path.of("/proc/cpuinfo");
		if (!Files.isReadable(facts)) {
			return System.getProperty("os.arch");
		}
		return Files.readAllLines(facts)
			.stream()
			.filter((line) -> line.startsWith("model name"))
			.map((line) -> line.split(": *", 2)[1])
			.findFirst()
			.orElse(System.getProperty("os.arch"));
	}

	/**
	 * Reads the versions from the names of jars.
	 * @param classPath the class path
	 * @return versions by library
	 */
	static Map<String, String> versions(String classPath) {
		Map<String, String> versions = new TreeMap<>();
		Arrays.stream(classPath.split(File.pathSeparator))
			.map((entry) -> Path.of(entry).getFileName())
			.forEach((file) -> {
				Matcher jar = JAR.matcher(String.valueOf(file));
				if (jar.matches() && LIBRARIES.contains(jar.group(1))) {
					versions.merge(jar.group(1), jar.group(2), (one, other) -> one + ", " + other);
				}
			});
		return versions;
	}

	@Override
	public String toString() {
		return "%s, %d cores, %d GB; %s; %s; %s".formatted(this.processor, this.cores, this.memory, this.jdk, this.os,
				this.libraries);
	}

}
