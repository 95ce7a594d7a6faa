package dev.kubeinformer.spring.autoconfigure.leader;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Check that a child context asks for no election that its parent, with which it shares
 * the leadership, does not hold: each replica would do what is meant for the leader.
 */
final class ChildLeaderCheck implements InitializingBean {

	private static final String ENABLED = LeaderProperties.PREFIX + ".enabled";

	private final LeaderElection election;

	private final ConfiguredSettings configured;

	private final Environment environment;

	ChildLeaderCheck(LeaderElection election, ConfiguredSettings configured, Environment environment) {
		this.election = election;
		this.configured = configured;
		this.environment = environment;
	}

	@Override
	public void afterPropertiesSet() {
		// Properties and leadership are those of the parent, the environment is not.
		if (this.configured.isEnabled() && !this.election.isElecting()
				&& Binder.get(this.environment).bind(ENABLED, Boolean.class).orElse(false)) {
			throw new InformerConfigurationException(
					"'kubernetes.leader.enabled' is true in a child context, but its parent context, with which it shares "
							+ "informers and leadership, elects no leader",
					"Set 'kubernetes.leader.enabled=true' and the other properties below 'kubernetes.leader' in the "
							+ "environment of the parent context, or remove it from that of the child.");
		}
	}

}
