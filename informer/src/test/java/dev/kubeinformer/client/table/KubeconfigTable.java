package dev.kubeinformer.client.table;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The table: its cases, and the verdicts that kubectl gave.
 */
final class KubeconfigTable {

	static final List<String> GROUPS = List.of("tokens", "certificates", "authorities", "servers", "blanks", "plugins",
			"providers", "contexts", "types", "merging", "proxies");

	private KubeconfigTable() {
	}

	static List<KubeconfigCase> cases() {
		List<KubeconfigCase> cases = new ArrayList<>();
		for (String group : GROUPS) {
			for (Object row : (List<?>) yaml(group + ".yaml")) {
				cases.add(KubeconfigCase.of(strings((Map<?, ?>) row)));
			}
		}
		return cases;
	}

	/**
	 * Returns what kubectl did.
	 * @return the verdicts, by the names of the cases
	 */
	static Map<String, Verdict> kubectl() {
		return verdicts("kubectl.yaml", "verdict");
	}

	/**
	 * Returns where we do something else.
	 * @return our verdicts, by the names of the cases
	 */
	static Map<String, Verdict> deviations() {
		return verdicts("deviations.yaml", "ours");
	}

	private static Map<String, Verdict> verdicts(String file, String key) {
		Map<String, Verdict> verdicts = new LinkedHashMap<>();
		strings((Map<?, ?>) yaml(file))
			.forEach((name, said) -> verdicts.put(name, new Verdict(String.valueOf(((Map<?, ?>) said).get(key)))));
		return verdicts;
	}

	private static Map<String, Object> strings(Map<?, ?> map) {
		Map<String, Object> strings = new LinkedHashMap<>();
		map.forEach((key, value) -> strings.put(String.valueOf(key), value));
		return strings;
	}

	private static Object yaml(String name) {
		LoaderOptions options = new LoaderOptions();
		options.setAllowDuplicateKeys(false);
		try (InputStream input = KubeconfigTable.class.getResourceAsStream(name)) {
			if (input == null) {
				throw new IllegalStateException("no resource " + name);
			}
			return new Yaml(new SafeConstructor(options))
				.load(new String(input.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
