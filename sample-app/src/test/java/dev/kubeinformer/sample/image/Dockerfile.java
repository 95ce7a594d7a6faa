package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Instructions of a Dockerfile, stage by stage.
 *
 * @param stages the stages; the last one is the image
 */
record Dockerfile(List<Stage> stages) {

	static Dockerfile read(Path file) throws IOException {
		List<Stage> stages = new ArrayList<>();
		String continued = "";
		for (String line : Files.readAllLines(file)) {
			String text = continued + line.strip();
			continued = "";
			if (text.endsWith("\\")) {
				continued = text.substring(0, text.length() - 1);
			}
			else if (!text.isEmpty() && !text.startsWith("#")) {
				String[] words = text.split(" +", 2);
				if (words[0].equals("FROM")) {
					stages.add(new Stage(words[1], new ArrayList<>()));
				}
				else {
					stages.get(stages.size() - 1).instructions().add(new Instruction(words[0], words[1]));
				}
			}
		}
		return new Dockerfile(stages);
	}

	Stage image() {
		return this.stages.get(this.stages.size() - 1);
	}

	/**
	 * Stage.
	 *
	 * @param from its base image, perhaps with {@code AS} and its name
	 * @param instructions the other instructions
	 */
	record Stage(String from, List<Instruction> instructions) {

		String name() {
			String[] words = this.from.split(" AS ");
			return (words.length > 1) ? words[1].strip() : "";
		}

		List<String> all(String name) {
			return this.instructions.stream()
				.filter((instruction) -> instruction.name().equals(name))
				.map(Instruction::argument)
				.toList();
		}

		String last(String name) {
			List<String> all = all(name);
			return all.get(all.size() - 1);
		}

		/**
		 * Returns the command that the container runs.
		 * @return the words; it must have been written in the exec form, as JSON
		 */
		List<String> entrypoint() {
			return JsonMapper.builder().build().readValue(last("ENTRYPOINT"), new TypeReference<List<String>>() {
			});
		}

	}

	/**
	 * Instruction.
	 *
	 * @param name the name
	 * @param argument all the rest of the line
	 */
	record Instruction(String name, String argument) {

	}

}
