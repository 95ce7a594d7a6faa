package dev.kubeinformer.controller;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1Condition;
import org.jspecify.annotations.Nullable;

/**
 * Conditions in the status of an object, in the form of {@code metav1.Condition}. The
 * rules are those of {@code SetStatusCondition} in {@code apimachinery/pkg/api/meta}:
 * there is one condition of each type; {@code lastTransitionTime} changes only with
 * {@code status}; {@code reason}, {@code message} and {@code observedGeneration} are
 * replaced. The lists passed to these methods are not changed.
 */
public final class Conditions {

	private static final Set<String> STATUSES = Set.of("True", "False", "Unknown");

	private Conditions() {
	}

	/**
	 * Sets a condition without an {@code observedGeneration}.
	 * @param conditions the previous conditions; {@code null} for none
	 * @param type the type, such as {@code Ready}
	 * @param status {@code True}, {@code False} or {@code Unknown}
	 * @param reason the reason, in UpperCamelCase
	 * @param message the text for people; may be empty
	 * @return the new conditions: another list, or the given one if nothing changes
	 * @throws IllegalArgumentException if the API server would reject the condition
	 */
	public static List<V1Condition> set(@Nullable List<V1Condition> conditions, String type, String status,
			String reason, String message) {
		return set(conditions, type, status, reason, message, null);
	}

	/**
	 * Sets a condition.
	 * @param conditions the previous conditions; {@code null} for none
	 * @param type the type, such as {@code Ready}
	 * @param status {@code True}, {@code False} or {@code Unknown}
	 * @param reason the reason, in UpperCamelCase
	 * @param message the text for people; may be empty
	 * @param observedGeneration the {@code metadata.generation} that the condition refers
	 * to; {@code null} for none
	 * @return the new conditions: another list, or the given one if nothing changes
	 * @throws IllegalArgumentException if the API server would reject the condition
	 */
	public static List<V1Condition> set(@Nullable List<V1Condition> conditions, String type, String status,
			String reason, String message, @Nullable Long observedGeneration) {
		return set(conditions, type, status, reason, message, observedGeneration, Clock.systemUTC());
	}

	/**
	 * Sets a condition, with the time of a given clock.
	 * @param conditions the previous conditions; {@code null} for none
	 * @param type the type, such as {@code Ready}
	 * @param status {@code True}, {@code False} or {@code Unknown}
	 * @param reason the reason, in UpperCamelCase
	 * @param message the text for people; may be empty
	 * @param observedGeneration the {@code metadata.generation} that the condition refers
	 * to; {@code null} for none
	 * @param clock the clock for the time of a transition, which is truncated to seconds
	 * @return the new conditions: another list, or the given one if nothing changes
	 * @throws IllegalArgumentException if the API server would reject the condition
	 */
	public static List<V1Condition> set(@Nullable List<V1Condition> conditions, String type, String status,
			String reason, String message, @Nullable Long observedGeneration, Clock clock) {
		requireText("type", type, "");
		requireText("reason", reason, type);
		if (!STATUSES.contains(status)) {
			throw new IllegalArgumentException(
					"Status '%s' of condition '%s' must be 'True', 'False' or 'Unknown'".formatted(status, type));
		}
		V1Condition wanted = new V1Condition().type(type)
			.status(status)
			.reason(reason)
			.message(message)
			.observedGeneration(observedGeneration);
		V1Condition present = find(conditions, type);
		OffsetDateTime since = (present != null && status.equals(present.getStatus())) ? present.getLastTransitionTime()
				: null;
		wanted.setLastTransitionTime((since != null) ? since
				: OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS));
		if (conditions != null && wanted.equals(present)) {
			return conditions;
		}
		return with(conditions, wanted);
	}

	private static List<V1Condition> with(@Nullable List<V1Condition> conditions, V1Condition wanted) {
		List<V1Condition> result = new ArrayList<>();
		boolean placed = false;
		for (V1Condition each : (conditions != null) ? conditions : List.<V1Condition>of()) {
			if (!Objects.equals(wanted.getType(), each.getType())) {
				result.add(each);
			}
			else if (!placed) {
				result.add(wanted);
				placed = true;
			}
		}
		if (!placed) {
			result.add(wanted);
		}
		return result;
	}

	private static void requireText(String field, String value, String type) {
		if (value.isBlank()) {
			throw new IllegalArgumentException(type.isEmpty() ? "A condition needs a '%s'".formatted(field)
					: "Condition '%s' needs a '%s'".formatted(type, field));
		}
	}

	/**
	 * Removes a condition.
	 * @param conditions the previous conditions; {@code null} for none
	 * @param type the type
	 * @return the new conditions: another list, or the given one if it has none of that
	 * type
	 */
	public static List<V1Condition> remove(@Nullable List<V1Condition> conditions, String type) {
		if (conditions != null && find(conditions, type) == null) {
			return conditions;
		}
		List<V1Condition> result = new ArrayList<>((conditions != null) ? conditions : List.of());
		result.removeIf((each) -> type.equals(each.getType()));
		return result;
	}

	/**
	 * Finds a condition.
	 * @param conditions the conditions; {@code null} for none
	 * @param type the type
	 * @return the condition; {@code null} if there is none of that type
	 */
	public static @Nullable V1Condition find(@Nullable List<V1Condition> conditions, String type) {
		for (V1Condition each : (conditions != null) ? conditions : List.<V1Condition>of()) {
			if (type.equals(each.getType())) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Returns whether a condition has the status {@code True}.
	 * @param conditions the conditions; {@code null} for none
	 * @param type the type
	 * @return {@code true} if the condition exists and has that status
	 */
	public static boolean isTrue(@Nullable List<V1Condition> conditions, String type) {
		V1Condition condition = find(conditions, type);
		return condition != null && "True".equals(condition.getStatus());
	}

}
