package dev.kubeinformer.internal.reconcile;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.reconcile.AppliedDigest.AppliedBody;

import static org.assertj.core.api.Assertions.assertThat;

/** Place of the annotation in the body of an apply. */
@Timeout(60)
class AppliedBodyTests {

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final AppliedDigest digest = new AppliedDigest(this.json, "tester", List.of());

	private AppliedBody body(String before, String key, String after) {
		Map<String, Object> annotations = new LinkedHashMap<>(Map.of(key, before));
		Map<String, Object> metadata = new LinkedHashMap<>(Map.of("annotations", annotations));
		Map<String, Object> tree = new LinkedHashMap<>();
		tree.put("metadata", metadata);
		tree.put("data", after);
		return this.digest.write(tree, true);
	}

	@Test
	void annotationIsFoundWhereverItIs() throws Exception {
		for (int length = 0; length < 70; length++) {
			String dots = ".".repeat(length);
			AppliedBody body = body(dots, dots + "\"" + ReconcilerSpec.APPLIED_ANNOTATION + "\":\"....", dots);
			assertThat(new String(body.bytes(), StandardCharsets.UTF_8))
				.contains("\"%s\":\"%s\"".formatted(ReconcilerSpec.APPLIED_ANNOTATION, body.annotation()));
			assertThat(this.json.readUntyped(body.bytes())).asString().contains(dots + "\"");
			assertThat(body.annotation()).matches("[\\w-]{28}");
		}
	}

	@Test
	void annotationShouldStayTheSameInLaterVersions() {
		Map<String, Object> tree = new LinkedHashMap<>();
		tree.put("metadata", new LinkedHashMap<>());
		tree.put("data", Map.of("key", "value"));
		// With another value, the first start of a new version would write each child.
		assertThat(this.digest.write(tree, true).annotation()).isEqualTo("m7pc47bPsHAK1PTbs76cyeR3GI5A");
	}

}
