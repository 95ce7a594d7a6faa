package dev.kubeinformer.test.internal.selector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.PersistedObject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RequestedLabelsTests {

	private final PersistedObject object = object();

	@ParameterizedTest
	@ValueSource(strings = { "", "app=web", "app==web", "app = web", "app!=db", "missing!=x", "app", "!missing",
			"app in (db, web)", "app notin (db)", "missing notin (a)", "app,tier=front,!missing",
			"example.com/name=a.b_c-1", "empty=", "empty in (,x)" })
	void parseWhenObjectMatchesShouldAccept(String selector) {
		assertThat(RequestedLabels.parse(selector).test(this.object)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "app=db", "missing=x", "app!=web", "missing", "!app", "app in (db)", "missing in (a)",
			"app notin (web,db)", "app,tier=back" })
	void parseWhenObjectDoesNotMatchShouldRefuse(String selector) {
		assertThat(RequestedLabels.parse(selector).test(this.object)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a b", "a in", "a in (", "a in (b", "=a", "!", "a=b c", "(a)", "a,", ",a" })
	void parseWhenMalformedShouldThrowBadRequest(String selector) {
		assertThatExceptionOfType(RequestFailure.class).isThrownBy(() -> RequestedLabels.parse(selector))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(400))
			.withMessageMatching("(unable to parse requirement: )?found '.*',? expected: .+");
	}

	@Test
	void parseWhenMalformedShouldNameWhatWasFound() {
		assertThatExceptionOfType(RequestFailure.class).isThrownBy(() -> RequestedLabels.parse("a b"))
			.withMessage("unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt");
	}

	private static PersistedObject object() {
		ObjectNode tree = Json.object();
		tree.putObject("metadata")
			.putObject("labels")
			.put("app", "web")
			.put("tier", "front")
			.put("empty", "")
			.put("example.com/name", "a.b_c-1");
		return PersistedObject.of(new GroupResource("", "pods"), new ObjectKey("default", "a"), tree, 1);
	}

}
