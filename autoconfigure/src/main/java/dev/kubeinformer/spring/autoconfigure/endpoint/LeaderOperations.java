package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.settings.ShownText;

/**
 * Operations of the endpoint on the leader election.
 *
 * @param elected the leadership
 * @param cluster the name of the cluster with the Lease
 */
record LeaderOperations(ElectedLeadership elected, String cluster) {

	/**
	 * Reserved id of the leader election; no handler or reconciler may have it.
	 */
	static final String ID = "leader";

	static final String YIELD = "YIELD";

	LeaderDescriptor descriptor(boolean multipleClusters) {
		LeaderStatus status = this.elected.status().get();
		Leadership.Term term = status.term();
		String holder = status.holder();
		return new LeaderDescriptor(status.state().name(), status.since().toString(), term != null,
				status.namespace() + "/" + status.name(), multipleClusters ? this.cluster : null, status.identity(),
				(holder != null) ? ShownText.of(holder) : null, term(term),
				(status.slack() != null) ? Descriptors.seconds(status.slack()) : null, status.awaiting(),
				status.terms(), status.renewals(), failure(status.lastError()),
				ElectedLeadership.missingRbac(status).stream().map(RequiredRbac::toString).toList());
	}

	private static LeaderDescriptor.@Nullable Term term(Leadership.@Nullable Term term) {
		return (term != null)
				? new LeaderDescriptor.Term(term.number(), term.since().toString(), term.validUntil().toString())
				: null;
	}

	private static LeaderDescriptor.@Nullable Failure failure(LeaderStatus.@Nullable Failure failure) {
		return (failure != null) ? new LeaderDescriptor.Failure(failure.at().toString(), failure.verb(),
				failure.httpStatus(), failure.reason()) : null;
	}

	/**
	 * Lets another replica lead.
	 * @param action the name of the action in the request, ignoring case
	 * @param key the key of an object; must be {@code null} or blank, because the action
	 * applies to no object
	 * @throws RefusedRequestException if the action is not {@code YIELD}, a key was
	 * given, or this replica does not lead
	 */
	void apply(@Nullable String action, @Nullable String key) {
		if (!StringUtils.hasText(action)) {
			throw RefusedRequestException.invalid("There is no 'action' in the request; that of the leader is %s",
					YIELD);
		}
		if (!isYield(action)) {
			throw RefusedRequestException.invalid("'%s' is not an action of '%s'; its action is %s", action, ID, YIELD);
		}
		if (StringUtils.hasText(key)) {
			throw RefusedRequestException
				.invalid("%s takes no 'key', but '%s' was given; it is for the TRIGGER of a reconciler", YIELD, key);
		}
		if (!this.elected.leadership().isLeader()) {
			String holder = this.elected.leadership().holder();
			if (holder == null) {
				throw RefusedRequestException
					.conflict("This replica does not lead, so there is nothing to yield; no leader is known");
			}
			throw RefusedRequestException.conflict(
					"This replica does not lead, so there is nothing to yield; ask the one that does, '%s'", holder);
		}
		this.elected.leadership().yield();
	}

	static boolean isYield(String action) {
		return action.strip().toUpperCase(Locale.ROOT).equals(YIELD);
	}

}
