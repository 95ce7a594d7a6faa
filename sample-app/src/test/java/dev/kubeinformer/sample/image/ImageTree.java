package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Result of a Dockerfile as directories: one for each stage, which begins empty instead
 * of with its base image. Commands run on this machine, in the directory of their stage.
 */
final class ImageTree {

	private final Path context;

	private final Path folder;

	private final Map<String, Path> stages = new HashMap<>();

	private Path root;

	private Path workdir;

	/**
	 * Makes the stages.
	 * @param dockerfile the Dockerfile
	 * @param context the folder that is the context of the build
	 * @param folder an empty folder for the stages
	 * @throws Exception if that fails
	 */
	ImageTree(Dockerfile dockerfile, Path context, Path folder) throws Exception {
		this.context = context;
		this.folder = folder;
		this.root = folder;
		this.workdir = folder;
		for (Dockerfile.Stage stage : dockerfile.stages()) {
			this.root = Files.createDirectory(folder.resolve("stage-" + this.stages.size()));
			this.workdir = this.root;
			this.stages.put(stage.name(), this.root);
			for (Dockerfile.Instruction instruction : stage.instructions()) {
				apply(instruction.name(), instruction.argument());
			}
		}
	}

	private void apply(String name, String argument) throws Exception {
		switch (name) {
			case "WORKDIR" -> this.workdir = Files.createDirectories(absolute(this.root, argument));
			case "RUN" -> run(argument);
			case "COPY" -> copy(List.of(argument.split(" +")));
			case "USER", "EXPOSE", "ENTRYPOINT" -> {
			}
			default -> throw new IllegalStateException("There is no support for %s %s".formatted(name, argument));
		}
	}

	private Path absolute(Path stage, String path) {
		return path.startsWith("/") ? stage.resolve(path.substring(1)) : this.workdir.resolve(path);
	}

	private void run(String command) throws Exception {
		ProcessBuilder builder = new ProcessBuilder("sh", "-c", command).directory(this.workdir.toFile())
			.redirectErrorStream(true);
		builder.environment().compute("PATH", (key, path) -> System.getProperty("java.home") + "/bin:" + path);
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).as("RUN %s: %s", command, output).isZero();
	}

	private void copy(List<String> words) throws IOException {
		boolean fromStage = words.get(0).startsWith("--from=");
		Path target = absolute(this.root, words.get(words.size() - 1));
		for (String source : words.subList(fromStage ? 1 : 0, words.size() - 1)) {
			if (fromStage) {
				Path stage = this.stages.get(words.get(0).substring("--from=".length()));
				copy(absolute(stage, source), target);
			}
			else {
				Path file = this.context.resolve(source);
				assertThat(Files.readAllLines(this.context.resolve(".dockerignore"))).contains("*", "!" + source);
				Files.copy(file, target.resolve(file.getFileName()));
			}
		}
	}

	private static void copy(Path source, Path target) throws IOException {
		try (Stream<Path> files = Files.walk(source)) {
			for (Path file : (Iterable<Path>) files::iterator) {
				Path copy = target.resolve(source.relativize(file).toString());
				if (Files.isDirectory(file)) {
					Files.createDirectories(copy);
				}
				else {
					Files.copy(file, copy);
				}
			}
		}
	}

	/**
	 * Returns the root of the image.
	 * @return the folder
	 */
	Path root() {
		return this.root;
	}

	/**
	 * Returns a stage.
	 * @param name its name
	 * @return the folder
	 */
	Path stage(String name) {
		return this.stages.get(name);
	}

	/**
	 * Returns where the container starts.
	 * @return the path in the image
	 */
	String workdir() {
		return "/" + this.root.relativize(this.workdir);
	}

	Path folder() {
		return this.folder;
	}

}
