package dev.kubeinformer.definitions;

import java.util.List;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Writes definitions as YAML.
 */
final class DefinitionYaml {

	private DefinitionYaml() {
	}

	static String write(List<V1CustomResourceDefinition> definitions) {
		DumperOptions options = new DumperOptions();
		options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
		options.setSplitLines(false);
		Yaml yaml = new Yaml(options);
		return definitions.stream()
			.map((definition) -> yaml.dump(Trees.of(JSON.getGson().toJsonTree(definition))))
			.collect(Collectors.joining("---\n"));
	}

}
