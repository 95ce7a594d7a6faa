package dev.kubeinformer.spring.autoconfigure.leader;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when leader election is on in the environment of a child context alone.
 */
class ChildLeaderException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	ChildLeaderException() {
		super("'kubernetes.leader.enabled' is true in a child context, but its parent context, with which it shares "
				+ "informers and leadership, elects no leader",
				"Set 'kubernetes.leader.enabled=true' and the other properties below 'kubernetes.leader' in the "
						+ "environment of the parent context, or remove it from that of the child.");
	}

}
