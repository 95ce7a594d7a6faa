package dev.kubeinformer.controller;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Condition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Conditions are set by the rules of Kubernetes.
 */
class ConditionsTests {

	private static final OffsetDateTime FIRST = OffsetDateTime.parse("2026-01-02T03:04:05Z");

	private static final OffsetDateTime LATER = OffsetDateTime.parse("2026-01-02T04:00:00Z");

	@Test
	void firstConditionHasTheTimeInWholeSeconds() {
		List<V1Condition> conditions = set(null, "False", "Starting", FIRST.plusNanos(678_901_234));
		assertThat(conditions).containsExactly(new V1Condition().type("Ready")
			.status("False")
			.reason("Starting")
			.message("text")
			.observedGeneration(3L)
			.lastTransitionTime(FIRST));
	}

	@Test
	void timeIsKeptWhileTheStatusIs() {
		List<V1Condition> before = List.copyOf(set(null, "False", "Starting", FIRST));
		List<V1Condition> after = set(before, "False", "Waiting", LATER);
		assertThat(after).singleElement().satisfies((condition) -> {
			assertThat(condition.getReason()).isEqualTo("Waiting");
			assertThat(condition.getLastTransitionTime()).isEqualTo(FIRST);
		});
		assertThat(before).first().extracting(V1Condition::getReason).isEqualTo("Starting");
		assertThat(set(after, "True", "Waiting", LATER)).first()
			.extracting(V1Condition::getLastTransitionTime)
			.isEqualTo(LATER);
	}

	@Test
	void equalConditionChangesNothing() {
		List<V1Condition> before = List.copyOf(set(null, "True", "Up", FIRST));
		assertThat(set(before, "True", "Up", LATER)).isSameAs(before);
	}

	@Test
	void otherConditionsStayInTheirOrder() {
		List<V1Condition> before = Conditions.set(set(null, "True", "Up", FIRST), "Other", "Unknown", "Asked", "");
		List<V1Condition> after = set(before, "False", "Down", LATER);
		assertThat(after).extracting(V1Condition::getType).containsExactly("Ready", "Other");
		assertThat(Conditions.remove(after, "Ready")).extracting(V1Condition::getType).containsExactly("Other");
		assertThat(Conditions.remove(after, "Missing")).isSameAs(after);
		assertThat(Conditions.remove(null, "Missing")).isEmpty();
	}

	@Test
	void duplicatesBecomeOne() {
		V1Condition one = set(null, "True", "Up", FIRST).get(0);
		assertThat(set(List.of(one, one), "False", "Down", LATER)).hasSize(1);
	}

	@Test
	void conditionIsFound() {
		List<V1Condition> conditions = set(null, "True", "Up", FIRST);
		assertThat(Conditions.isTrue(conditions, "Ready")).isTrue();
		assertThat(Conditions.isTrue(conditions, "Other")).isFalse();
		assertThat(Conditions.isTrue(null, "Ready")).isFalse();
		assertThat(Conditions.find(conditions, "Ready")).isSameAs(conditions.get(0));
	}

	@Test
	void whatTheServerWouldRefuseIsRefused() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> Conditions.set(null, "Ready", "true", "Up", ""))
			.withMessageContaining("'true'")
			.withMessageContaining("'Ready'");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> Conditions.set(null, "Ready", "True", "", ""))
			.withMessageContaining("'reason'");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> Conditions.set(null, " ", "True", "Up", ""))
			.withMessageContaining("'type'");
	}

	private static List<V1Condition> set(List<V1Condition> before, String status, String reason, OffsetDateTime now) {
		Clock clock = Clock.fixed(Instant.from(now), ZoneOffset.UTC);
		return Conditions.set(before, "Ready", status, reason, "text", 3L, clock);
	}

}
