package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Parses the output of a plugin as YAML, because client-go accepts YAML as well as JSON.
 * Pure functions.
 */
final class YamlOutput {

	private YamlOutput() {
	}

	/**
	 * Parses an output.
	 * @param output the output
	 * @return the value; {@code null} if it is not YAML or is empty
	 */
	static @Nullable Object read(byte[] output) {
		LoaderOptions options = new LoaderOptions();
		DumperOptions dumper = new DumperOptions();
		Yaml yaml = new Yaml(new SafeConstructor(options), new Representer(dumper), dumper, options, new JsonTypes());
		try {
			return yaml.load(new String(output, StandardCharsets.UTF_8));
		}
		catch (YAMLException ex) {
			return null;
		}
	}

	/**
	 * Recognises only the types of JSON, so that a time stays a string.
	 */
	private static final class JsonTypes extends Resolver {

		@Override
		public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
			if (!tag.equals(Tag.TIMESTAMP)) {
				super.addImplicitResolver(tag, pattern, first, limit);
			}
		}

	}

}
