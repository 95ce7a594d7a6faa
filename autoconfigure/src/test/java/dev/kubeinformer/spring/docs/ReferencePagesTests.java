package dev.kubeinformer.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the pages of annotations and of the endpoint hold what their sources say.
 * With {@code -Dreference.write=true} it is written there.
 */
class ReferencePagesTests {

	private static final Path DOCS = Path.of("../docs");

	private static final Path ANNOTATIONS = Path.of("src/main/java/dev/kubeinformer/spring/annotation");

	private static final Path ENDPOINT = Path.of("src/main/java/dev/kubeinformer/spring/autoconfigure/endpoint");

	private static final String START = "<!-- generated from the sources -->\n";

	private static final String END = "<!-- end -->";

	private static final Pattern ELEMENT = Pattern.compile("(?:List<)?(\\w+)>?");

	@Test
	void pageOfAnnotationsShouldHoldTheirSources() throws IOException {
		StringBuilder text = new StringBuilder();
		List<String> all = new ArrayList<>();
		all.addAll(List.of("InformerHandler", "OnAdd", "OnUpdate", "OnDelete", "InformerSource", "Reconciler",
				"Reconcile", "Owns", "Watches", "OnCleanup", "LeaderOnly"));
		try (Stream<Path> files = Files.list(ANNOTATIONS)) {
			assertThat(files.map((file) -> file.getFileName().toString().replace(".java", "")))
				.containsExactlyInAnyOrderElementsOf(Stream.concat(all.stream(), Stream.of("package-info")).toList());
		}
		all.forEach((name) -> annotation(text, ANNOTATIONS.resolve(name + ".java")));
		annotation(text, Path.of("../informer/src/main/java/dev/kubeinformer/resource/KubernetesResource.java"));
		annotation(text,
				Path.of("../starter-test/src/main/java/dev/kubeinformer/spring/test/EmbeddedKubernetesTest.java"));
		assertPage("annotations.md", text.toString());
	}

	@Test
	void pageOfTheEndpointShouldHoldItsSources() throws IOException {
		StringBuilder text = new StringBuilder();
		actions(text, "Actions of a handler", "HandlerAction");
		actions(text, "Actions of a reconciler", "ReconcilerAction");
		fields(text, "All: `GET /actuator/informers`", "InformersDescriptor");
		fields(text, "Informer", "InformerDescriptor");
		fields(text, "Handler", "HandlerDescriptor");
		fields(text, "Reconciler", "ReconcilerDescriptor");
		fields(text, "Leader", "LeaderDescriptor");
		fields(text, "Shards", "ShardsDescriptor");
		fields(text, "Rejected request", "ProblemDescriptor");
		try (Stream<Path> files = Files.list(ENDPOINT)) {
			assertThat(files.map((file) -> file.getFileName().toString().replace(".java", ""))
				.filter((name) -> name.endsWith("Descriptor") || name.endsWith("Action")))
				.allSatisfy((name) -> assertThat(text).contains("<!-- " + name + " -->"));
		}
		assertPage("endpoint.md", text.toString());
	}

	private static void annotation(StringBuilder text, Path file) {
		JavaSource source = JavaSource.of(file);
		JavaSource.Type type = source.type();
		text.append("\n## `@%s`\n\n`%s`, on %s.\n\n%s\n".formatted(type.name(), source.pack(),
				targets(type.annotations().getOrDefault("Target", "")), type.description()));
		if (!type.members().isEmpty()) {
			text.append("\n| attribute | type | default | meaning |\n|---|---|---|---|\n");
			type.members()
				.forEach((member) -> text.append("| `%s` | `%s` | %s | %s |\n".formatted(member.name(), member.type(),
						value(member.value()), cell(member.description()))));
		}
	}

	private static String targets(String target) {
		return Stream.of(target.replaceAll("[{} ]", "").replace("ElementType.", "").split(","))
			.map((element) -> switch (element) {
				case "TYPE" -> "a class";
				case "METHOD" -> "a method";
				case "FIELD" -> "a field";
				case "PARAMETER" -> "a parameter";
				case "ANNOTATION_TYPE" -> "an annotation";
				default -> throw new IllegalStateException("No words for " + element);
			})
			.reduce((first, next) -> first + " or " + next)
			.orElseThrow();
	}

	private static String value(String written) {
		if (written.isEmpty()) {
			return "required";
		}
		return Set.of("\"\"", "{}", "KubernetesObject.class").contains(written) ? "" : "`" + written + "`";
	}

	private static void actions(StringBuilder text, String title, String name) {
		text.append("\n## %s\n<!-- %s -->\n\n| action | effect |\n|---|---|\n".formatted(title, name));
		JavaSource.of(ENDPOINT.resolve(name + ".java"))
			.type()
			.members()
			.forEach((action) -> text.append("| `%s` | %s |\n".formatted(action.name(), cell(action.description()))));
	}

	private static void fields(StringBuilder text, String title, String name) {
		JavaSource source = JavaSource.of(ENDPOINT.resolve(name + ".java"));
		text.append("\n## %s\n<!-- %s -->\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n".formatted(title, name,
				source.type().description()));
		fields(text, source, source.type(), "");
	}

	private static void fields(StringBuilder text, JavaSource source, JavaSource.Type type, String prefix) {
		for (JavaSource.Member member : type.members()) {
			String json = prefix + member.name();
			Matcher element = ELEMENT.matcher(member.type());
			JavaSource.Type nested = element.matches() ? nested(source, element.group(1)) : null;
			boolean list = member.type().startsWith("List<");
			text.append(
					"| `%s` | %s | %s |\n".formatted(json, json(member.type(), nested), cell(member.description())));
			if (nested != null && !isEnum(nested)) {
				fields(text, source, nested, json + (list ? "[]." : "."));
			}
		}
	}

	private static JavaSource.Type nested(JavaSource source, String name) {
		return source.types().stream().skip(1).filter((type) -> type.name().equals(name)).findFirst().orElse(null);
	}

	private static boolean isEnum(JavaSource.Type type) {
		return type.members().stream().allMatch((member) -> member.type().isEmpty());
	}

	private static String json(String type, JavaSource.Type nested) {
		if (nested != null && isEnum(nested)) {
			return nested.members()
				.stream()
				.map((constant) -> "`" + constant.name() + "`")
				.reduce((first, next) -> first + ", " + next)
				.orElseThrow();
		}
		if (type.startsWith("List<")) {
			return type.equals("List<String>") ? "list of strings" : "list";
		}
		return switch (type) {
			case "String" -> "string";
			case "boolean" -> "boolean";
			case "int", "long", "Integer", "Long" -> "number";
			default -> "object";
		};
	}

	private static String cell(String markdown) {
		String line = markdown.replace("\n", " ").replace("|", "\\|");
		String sentence = line.endsWith(".") ? line : line + ".";
		return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
	}

	private static void assertPage(String name, String reference) throws IOException {
		Path file = DOCS.resolve(name);
		String page = Files.readString(file);
		String expected = page.substring(0, page.indexOf(START) + START.length()) + reference
				+ page.substring(page.indexOf(END));
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(file, expected);
		}
		assertThat(Files.readString(file)).as("docs/%s; -Dreference.write=true writes it", name).isEqualTo(expected);
	}

}
