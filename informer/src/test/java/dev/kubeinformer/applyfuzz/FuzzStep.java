package dev.kubeinformer.applyfuzz;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Step of one object before everything comes to rest.
 *
 * @param when the timing relative to the operator's actions
 * @param edits the edits by others
 * @param wanted the new desired state; {@code null} to keep the previous one
 */
record FuzzStep(When when, List<FuzzEdit> edits, @Nullable ObjectNode wanted) {

	enum When {

		/** The operator runs. */
		LIVE,

		/** The operator is away, and starts again afterwards. */
		AWAY,

		/** Another process becomes the leader afterwards. */
		HANDOVER

	}

	@Override
	public String toString() {
		return "%s%s%s".formatted(this.when, this.edits.isEmpty() ? "" : " " + this.edits,
				(this.wanted != null) ? " wanted " + this.wanted : "");
	}

}
