package dev.kubeinformer.spring.leader;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a handler or reconciler is leader-only but leader election is off, so that
 * each replica would run it.
 */
public class LeaderElectionOffException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	LeaderElectionOffException(String where) {
		super(("%s is leader-only, but no leader is elected: 'kubernetes.leader.enabled' is false, so that "
				+ "each replica would run it")
			.formatted(where),
				"Set 'kubernetes.leader.enabled=true'. If it is on in some environments only, write "
						+ "leaderOnly = \"${kubernetes.leader.enabled:false}\" instead of \"true\"; "
						+ "if each replica is to run it, remove leaderOnly.");
	}

}
