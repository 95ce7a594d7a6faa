package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks for what commands of Maven and kubectl name in the repository.
 */
class ShellCommands {

	private static final Set<String> PHASES = Set.of("clean", "validate", "generate-sources", "process-classes",
			"compile", "test-compile", "test", "package", "integration-test", "verify", "install", "deploy", "site");

	private static final Pattern MAVEN = Pattern.compile("(?:^|[\\s(/])mvnw?(?:\\.cmd)? (.*)");

	private static final Pattern KUBECTL_FILE = Pattern.compile("kubectl .*?(?:-f|-k)[ =](\\S+)");

	private final String poms;

	private final String files;

	ShellCommands() throws IOException {
		StringBuilder all = new StringBuilder();
		StringBuilder names = new StringBuilder();
		Files.walkFileTree(Page.ROOT, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
				boolean built = directory.endsWith("target") || directory.endsWith(".git");
				return built ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				if (file.endsWith("pom.xml")) {
					all.append(Files.readString(file));
				}
				names.append(Page.ROOT.relativize(file)).append('\n');
				return FileVisitResult.CONTINUE;
			}

		});
		this.poms = all.toString();
		this.files = names.toString();
	}

	/**
	 * Returns the parts of the commands that do not exist.
	 * @param code the commands
	 * @param page the page that they are on
	 */
	List<String> missing(String code, Path page) {
		List<String> missing = new ArrayList<>();
		for (String line : code.replaceAll("\\\\\\n", " ").split("\\n|&&|;")) {
			String command = line.replaceAll("\\s#.*", "");
			MAVEN.matcher(command).results().forEach((maven) -> maven(maven.group(1), page, missing));
			KUBECTL_FILE.matcher(command).results().forEach((kubectl) -> file(kubectl.group(1), page, missing));
			Pattern.compile("SPRING_PROFILES_ACTIVE=([\\w,]+).*-pl ([\\w-]+)")
				.matcher(command)
				.results()
				.forEach((profiles) -> profiles(profiles.group(2), profiles.group(1), missing));
		}
		return missing;
	}

	private void maven(String arguments, Path page, List<String> missing) {
		List<String> words = List.of(arguments.replaceAll("[\"'`]", "").strip().split("\\s+"));
		for (int i = 0; i < words.size(); i++) {
			String word = words.get(i);
			if (word.equals("-pl")) {
				i++;
				for (String module : (i < words.size()) ? words.get(i).split(",") : new String[0]) {
					require(isFile(module + "/pom.xml") || module.matches(".*[<…$].*"), "module", module, missing);
				}
			}
			else if (word.matches("-P\\w.*")) {
				for (String profile : word.substring(2).split(",")) {
					require(this.poms.contains("<id>" + profile + "</id>"), "profile", profile, missing);
				}
			}
			else if (word.startsWith("-Dtest=")) {
				for (String test : word.substring("-Dtest=".length()).split(",")) {
					String name = test.replaceAll("#.*", "");
					require(name.matches(".*[*<…$].*") || this.files.contains("/" + name + "."), "test", name, missing);
				}
			}
			else if (word.startsWith("-Dspring-boot.run.main-class=")) {
				String name = word.replaceAll(".*=", "").replace('.', '/');
				require(this.files.contains("/" + name + ".java"), "main class", name, missing);
			}
			else if (word.matches("[a-z][a-z-]*")) {
				require(PHASES.contains(word), "phase", word, missing);
			}
			else if (word.matches("[a-z-]+:[a-z-]+(@.*)?")) {
				String plugin = word.substring(0, word.indexOf(':'));
				require(isPlugin(plugin), "plugin", plugin, missing);
			}
		}
	}

	private boolean isPlugin(String prefix) {
		Set<String> known = new TreeSet<>(Set.of("dependency", "versions", "help", "archetype", "wrapper"));
		Pattern.compile("<artifactId>(?:maven-)?([\\w-]+?)(?:-maven)?-plugin</artifactId>")
			.matcher(this.poms)
			.results()
			.forEach((plugin) -> known.add(plugin.group(1)));
		return known.contains(prefix);
	}

	private void file(String file, Path page, List<String> missing) {
		boolean generated = file.startsWith("src/main/k8s");
		boolean elsewhere = generated || file.equals("-") || file.matches("https?:.*|.*[<…$~*].*");
		boolean beside = Files.exists(Page.ROOT.resolve(page).resolveSibling(file));
		// The tutorial works in a project that is generated from a template.
		boolean generatedProject = page.getFileName().toString().startsWith("tutorial")
				&& Files.exists(Page.ROOT.resolve("templates/controller").resolve(file));
		require(elsewhere || beside || generatedProject || Files.exists(Page.ROOT.resolve(file)), "file", file,
				missing);
	}

	private void profiles(String module, String profiles, List<String> missing) {
		for (String profile : profiles.split(",")) {
			boolean known = isFile(module + "/src/main/resources/application-" + profile + ".yml")
					|| declares(Page.ROOT.resolve(module + "/src/main"), "@Profile\\([^)]*\"!?" + profile + "\"");
			require(known, "profile", profile, missing);
		}
	}

	private static boolean declares(Path directory, String declaration) {
		Pattern pattern = Pattern.compile(declaration);
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter((each) -> each.toString().endsWith(".java")).toList()) {
				if (pattern.matcher(Files.readString(file)).find()) {
					return true;
				}
			}
			return false;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static boolean isFile(String file) {
		return Files.isRegularFile(Page.ROOT.resolve(file));
	}

	private static void require(boolean exists, String kind, String name, List<String> missing) {
		if (!exists) {
			missing.add("there is no %s '%s'".formatted(kind, name));
		}
	}

}
