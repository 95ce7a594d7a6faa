package dev.kubeinformer.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderProperties;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.autoconfigure.properties.ReconcilersProperties;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the metadata of the properties is complete, and that docs/configuration.md
 * holds it. With {@code -Dreference.write=true} it is written there.
 */
class ConfigurationReferenceTests {

	private static final Path PAGE = Path.of("../docs/configuration.md");

	private static final Path SOURCES = Path.of("src/main/java");

	private static final String START = "<!-- generated from the metadata -->\n";

	private static final String END = "<!-- end -->";

	private static final Pattern PARAM = Pattern.compile("@param (\\w+)((?:(?!@param|\\*/).)*)", Pattern.DOTALL);

	@Test
	void everyPropertyShouldHaveADescription() throws IOException {
		assertThat(properties()).allSatisfy((property) -> {
			assertThat(property.description()).as(property.name()).endsWith(".");
			assertThat(property.type()).as(property.name()).isNotBlank();
		});
	}

	@Test
	void pageShouldHoldTheMetadata() throws IOException {
		String page = Files.readString(PAGE);
		String expected = page.substring(0, page.indexOf(START) + START.length()) + reference()
				+ page.substring(page.indexOf(END));
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(PAGE, expected);
		}
		assertThat(Files.readString(PAGE)).as("docs/configuration.md; -Dreference.write=true writes it")
			.isEqualTo(expected);
	}

	@Test
	void everyPropertyShouldBeInATable() throws IOException {
		String reference = reference();
		assertThat(properties()).filteredOn((property) -> !property.type().startsWith("Map"))
			.hasSizeGreaterThan(50)
			.allSatisfy((property) -> assertThat(reference).contains("| `" + property.name() + "` |"));
	}

	private static String reference() throws IOException {
		List<Property> all = new ArrayList<>(properties());
		all.removeIf(
				(property) -> property.type().startsWith("Map") && !property.name().startsWith("kubernetes.client."));
		StringBuilder text = new StringBuilder();
		table(text, "The cluster", all, "kubernetes.client");
		List<Property> cluster = new ArrayList<>(nested(ClusterProperties.class, KubernetesClientProperties.class));
		nested(ClusterProperties.Informers.class).forEach((property) -> cluster.add(property.below("informers")));
		table(text,
				"A named cluster: `kubernetes.clusters.<name>`, with all properties of `kubernetes.client`, and `informers.resources` as below",
				cluster, "");
		table(text, "All informers and handlers", all, "kubernetes.informers");
		List<Property> handler = new ArrayList<>(nested(InformersProperties.Handler.class));
		nested(InformersProperties.Retry.class).forEach((property) -> handler.add(property.below("retry")));
		table(text, "One handler: `kubernetes.informers.handlers.<id>`", handler, "");
		table(text, "One resource: `kubernetes.informers.resources.<plural>` or `...resources.[<plural>.<group>]`",
				nested(InformersProperties.Resource.class), "");
		table(text, "All reconcilers", all, "kubernetes.reconcilers.defaults");
		table(text,
				"One reconciler: `kubernetes.reconcilers.<id>`, with all properties of `kubernetes.reconcilers.defaults`, and",
				nested(ReconcilersProperties.Reconciler.class, ReconcilersProperties.Defaults.class), "");
		table(text, "Leader election", all, "kubernetes.leader");
		table(text, "Definitions of custom resources", all, "kubernetes.definitions");
		table(text, "Versions of libraries", all, "kubernetes.versions");
		table(text, "Actuator", all, "management");
		return text.toString();
	}

	private static void table(StringBuilder text, String title, List<Property> properties, String prefix) {
		text.append("\n## ").append(title).append("\n\n| property | type | default | meaning |\n|---|---|---|---|\n");
		properties.stream()
			.filter((property) -> property.name().startsWith(prefix))
			.sorted(Comparator.comparing(Property::name))
			.forEach((property) -> text.append("| `%s` | %s | %s | %s |\n".formatted(property.name(),
					cell(property.type()), property.defaultValue().isEmpty() ? "" : "`" + property.defaultValue() + "`",
					property.description().replace("|", "\\|"))));
	}

	/**
	 * A type parameter would be taken for an element of HTML.
	 */
	private static String cell(String type) {
		return type.contains("<") ? "`" + type + "`" : type;
	}

	private static List<Property> properties() throws IOException {
		try (InputStream stream = InformersProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			JsonNode metadata = JsonMapper.shared().readTree(stream);
			return metadata.path("properties")
				.valueStream()
				.map((node) -> new Property(node.path("name").asString(), type(node.path("type").asString()),
						text(node.path("defaultValue")), node.path("description").asString("")))
				.toList();
		}
	}

	private static String type(String type) {
		if (type.equals(KubernetesClientProperties.Protobuf.class.getName())) {
			return "`auto`, `off`";
		}
		if (type.equals(LeaderProperties.OnLost.class.getName())) {
			return "`stand-by`, `exit`";
		}
		if (type.equals(InformersProperties.Shard.Mode.class.getName())) {
			return "`static`, `leases`, `none`";
		}
		if (type.equals(ShardKey.class.getName())) {
			return "`uid`, `namespace`";
		}
		return type.equals(ListMode.class.getName()) ? "`auto`, `streaming`, `paged`"
				: type.replaceAll("[a-z]+\\.|\\w+\\$", "");
	}

	private static String text(JsonNode value) {
		if (value.isArray()) {
			return value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
		}
		return value.isMissingNode() ? "" : value.asString();
	}

	/**
	 * Properties of the values of a map: the metadata does not hold them. Groups, and
	 * properties that another table has, are left out.
	 */
	private static List<Property> nested(Class<?> type, Class<?>... others) throws IOException {
		Map<String, String> descriptions = descriptions(type);
		Set<String> left = Stream.of(others)
			.flatMap((other) -> Stream.of(other.getRecordComponents()))
			.map(RecordComponent::getName)
			.collect(Collectors.toSet());
		return Stream.of(type.getConstructors()[0].getParameters())
			.filter((parameter) -> !parameter.getType().isRecord() && parameter.getType() != Map.class
					&& !left.contains(parameter.getName()))
			.map((parameter) -> new Property(dashed(parameter.getName()),
					(parameter.getType() == ResourceShardKey.class) ? "`uid`, `namespace`, `none`"
							: parameter.getParameterizedType().getTypeName().replaceAll("[a-z]+\\.", ""),
					defaultValue(parameter), descriptions.get(parameter.getName())))
			.toList();
	}

	private static String defaultValue(Parameter parameter) {
		DefaultValue value = parameter.getAnnotation(DefaultValue.class);
		return (value != null) ? String.join(", ", value.value()) : "";
	}

	private static Map<String, String> descriptions(Class<?> type) throws IOException {
		Path file = SOURCES.resolve(type.getName().replaceAll("\\$.*", "").replace('.', '/') + ".java");
		String source = Files.readString(file);
		int end = source.indexOf("public record " + type.getSimpleName() + "(");
		Map<String, String> descriptions = new HashMap<>();
		Matcher param = PARAM.matcher(source.substring(source.lastIndexOf("/**", end), end));
		while (param.find()) {
			descriptions.put(param.group(1),
					param.group(2).replaceAll("\\n\\s*\\*", " ").replaceAll("\\s+", " ").strip());
		}
		return descriptions;
	}

	private static String dashed(String name) {
		return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

	private record Property(String name, String type, String defaultValue, String description) {

		Property below(String parent) {
			return new Property(parent + "." + this.name, this.type, this.defaultValue, this.description);
		}

	}

}
