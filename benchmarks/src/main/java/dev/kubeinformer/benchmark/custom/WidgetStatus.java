package dev.kubeinformer.benchmark.custom;

import java.time.OffsetDateTime;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/** Observed state of a widget. */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
public final class WidgetStatus {

	@SerializedName("phase")
	private @Nullable String phase;

	@SerializedName("observedGeneration")
	private @Nullable Long observedGeneration;

	@SerializedName("readyReplicas")
	private @Nullable Integer readyReplicas;

	@SerializedName("endpoint")
	private @Nullable String endpoint;

	@SerializedName("conditions")
	private @Nullable List<Condition> conditions;

	/**
	 * Returns the phase.
	 * @return the phase
	 */
	public @Nullable String getPhase() {
		return this.phase;
	}

	/** Condition in the common form. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Condition {

		@SerializedName("type")
		private @Nullable String type;

		@SerializedName("status")
		private @Nullable String status;

		@SerializedName("reason")
		private @Nullable String reason;

		@SerializedName("message")
		private @Nullable String message;

		@SerializedName("observedGeneration")
		private @Nullable Long observedGeneration;

		@SerializedName("lastTransitionTime")
		private @Nullable OffsetDateTime lastTransitionTime;

	}

}
