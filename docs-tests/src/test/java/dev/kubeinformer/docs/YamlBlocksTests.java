package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the YAML, properties and JSON of each page are read by what they are for:
 * properties are known and have values of their types, and manifests have the fields of
 * their kind.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class YamlBlocksTests {

	private static final String[] LANGUAGES = { "yaml", "yml", "properties", "json" };

	private final KnownProperties properties = new KnownProperties();

	private final Manifests manifests = new Manifests();

	static List<Page> pages() throws IOException {
		return Page.with(LANGUAGES);
	}

	@ParameterizedTest
	@MethodSource("pages")
	void blockShouldBeRead(Page page) {
		assertThat(problems(page)).isEmpty();
	}

	@Test
	void mistakesShouldBeFound() {
		assertThat(problems(page("kubernetes.informers.resnyc: 10m")))
			.containsExactly("page.md:2: unknown property 'kubernetes.informers.resnyc'");
		assertThat(problems(page("kubernetes:\n  informers:\n    handlers:\n      podHandler:\n        retries: 1")))
			.singleElement()
			.asString()
			.contains("kubernetes.informers.handlers.podhandler.retries");
		assertThat(problems(page("kubernetes.informers.resync: soon"))).singleElement().asString().contains("resync");
		assertThat(problems(page("spring.aplication.name: a"))).singleElement().asString().contains("aplication");
		assertThat(problems(page("management.endpoint.health.show-details: perhaps"))).singleElement()
			.asString()
			.contains("show-details");
		assertThat(problems(page("apiVersion: v1\nkind: Pod\nspec:\n  container: []"))).singleElement()
			.asString()
			.contains("container");
		assertThat(problems(page("readinessProbe:\n  httpGet: { path: /, port: 1 }\n  after: 1"))).singleElement()
			.asString()
			.contains("after");
		assertThat(problems(page("a: [1"))).hasSize(1);
		assertThat(problems(page("some: thing"))).singleElement().asString().contains("some");
		assertThat(problems(page("spring.application.name: a\nserver.port: 1\napp.own: 2"))).isEmpty();
		assertThat(problems(page("apiVersion: v1\nkind: Pod\nspec:\n  containers: [{ name: a, image: b }]"))).isEmpty();
	}

	private static Page page(String yaml) {
		return Page.of(Path.of("page.md"), "```yaml\n" + yaml + "\n```\n");
	}

	private List<String> problems(Page page) {
		List<String> problems = new ArrayList<>();
		for (Block block : page.blocks(LANGUAGES)) {
			try {
				problems(page, block).forEach((problem) -> problems.add(block + ": " + problem));
			}
			catch (YAMLException | JacksonException ex) {
				problems.add(block + ": " + ex.getMessage());
			}
		}
		return problems;
	}

	private List<String> problems(Page page, Block block) {
		if (block.language().equals("json")) {
			JsonMapper.shared().readTree(block.code());
			return List.of();
		}
		if (block.language().equals("properties")) {
			return this.properties.problems(block);
		}
		List<String> problems = new ArrayList<>();
		Block before = page.before(block);
		for (Object document : new Yaml().loadAll(block.code())) {
			Class<?> part = this.manifests.modelOfPart(document);
			if (part != null) {
				problems.addAll(this.manifests.problemsOfPart(part, document));
			}
			else if (before != null && before.isName()) {
				continue;
			}
			else if (document instanceof List<?>
					|| (document instanceof Map<?, ?> map && map.containsKey("apiVersion"))) {
				problems.addAll(this.manifests.problems(document));
			}
			else {
				problems.addAll(this.properties.problems(block));
			}
		}
		return problems;
	}

}
