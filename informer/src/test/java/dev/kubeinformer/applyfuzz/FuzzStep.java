package dev.kubeinformer.applyfuzz;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens to one object before all comes to rest.
 *
 * @param when what the operator does meanwhile
 * @param edits what others do
 * @param wanted what is wanted from now on; {@code null} for the same as before
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
