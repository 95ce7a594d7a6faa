package dev.kubeinformer.test;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.Effects;
import dev.kubeinformer.test.internal.fault.FaultRule;
import dev.kubeinformer.test.internal.fault.FaultRules;
import dev.kubeinformer.test.internal.lease.CompetingLeaseHolder;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.server.ApiServer;

/**
 * Controls which client of an {@link EmbeddedKubernetes} becomes the leader, if clients
 * elect a leader with a Lease ({@code coordination.k8s.io}). A test can let another
 * replica, which does not exist, acquire the Lease, and can prevent the leader from
 * renewing its Lease. Without such a call, the replica under test becomes the leader,
 * because it is the only candidate.
 * <p>
 * Methods with a namespace and a name affect only that Lease. If several calls affect a
 * Lease, the last one applies. A {@linkplain EmbeddedKubernetes#reset() reset} of the
 * server ends all effects.
 * <p>
 * The methods affect only Leases of this server. If an application uses several clusters,
 * call them on the server that has the Lease. By default, this is the server of the
 * default cluster. Writes with {@link EmbeddedKubernetes#resources} are not affected.
 */
public final class LeaderControls {

	/**
	 * Identity of the other replica in the Leases that it holds.
	 */
	public static final String RIVAL = ApiServer.RIVAL;

	private final CompetingLeaseHolder rival;

	private final FaultRules faults;

	private final Set<FaultRule> freezes = ConcurrentHashMap.newKeySet();

	LeaderControls(CompetingLeaseHolder rival, FaultRules faults) {
		this.rival = rival;
		this.faults = faults;
	}

	/**
	 * Lets {@link #RIVAL another replica} acquire all Leases, including Leases that are
	 * created later, and hold them until {@link #grant()}. Watches are notified at once.
	 * The next renewal of a leader fails with 409. The Lease does not expire before
	 * {@link #grant()}: whenever a client reads it, it has just been renewed.
	 */
	public void revoke() {
		this.rival.claimAll();
	}

	/**
	 * Lets {@link #RIVAL another replica} acquire a Lease, which is created if it does
	 * not exist, and hold it until {@link #grant(String, String)}.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @see #revoke()
	 */
	public void revoke(String namespace, String name) {
		this.rival.claim(new ObjectKey(namespace, name));
	}

	/**
	 * Lets the clients lead again: ends {@link #freezeRenewals()}, and lets the other
	 * replica release all of its Leases, so candidates need not wait until they expire.
	 * Watches are notified at once.
	 */
	public void grant() {
		thawRenewals();
		this.rival.dropAll();
	}

	/**
	 * Lets the other replica release a Lease that it holds, and stops it from acquiring
	 * the Lease again. Does not end {@link #freezeRenewals()}.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @see #grant()
	 */
	public void grant(String namespace, String name) {
		this.rival.drop(new ObjectKey(namespace, name));
	}

	/**
	 * Leaves updates and patches of Leases without a response until
	 * {@link #thawRenewals()}, so that the term of a leader expires although the server
	 * is reachable. Reads and creates still get responses.
	 * @return the fault, whose hits count the requests without a response; removing the
	 * fault has the same effect on these requests as {@link #thawRenewals()}
	 */
	public Fault freezeRenewals() {
		return freeze((request) -> true);
	}

	/**
	 * Leaves updates and patches of a Lease without a response until
	 * {@link #thawRenewals()}.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the fault, whose hits count the requests without a response; removing the
	 * fault has the same effect on these requests as {@link #thawRenewals()}
	 * @see #freezeRenewals()
	 */
	public Fault freezeRenewals(String namespace, String name) {
		return freeze((request) -> namespace.equals(request.namespace()) && name.equals(request.name()));
	}

	private Fault freeze(Predicate<RecordedRequest> pattern) {
		FaultRule rule = this.faults.add((request) -> isRenewal(request) && pattern.test(RecordedRequest.of(request)),
				Integer.MAX_VALUE, null, Effects.freeze());
		this.freezes.add(rule);
		return new Fault() {

			@Override
			public void remove() {
				thaw(rule);
			}

			@Override
			public int hits() {
				return rule.hits();
			}

		};
	}

	private static boolean isRenewal(ApiRequest request) {
		return request.path().startsWith("/apis/coordination.k8s.io/")
				&& ("update".equals(request.verb()) || "patch".equals(request.verb()));
	}

	/**
	 * Responds to new updates of Leases again. The requests without a response are never
	 * executed; their connections are closed.
	 */
	public void thawRenewals() {
		List.copyOf(this.freezes).forEach(this::thaw);
	}

	private void thaw(FaultRule freeze) {
		freeze.discard();
		this.freezes.remove(freeze);
	}

	/**
	 * Returns the holder of the only Lease.
	 * @return the identity of the holder; {@code null} if there is no Lease, or the Lease
	 * has no holder
	 * @throws IllegalStateException if there are several Leases; the message names them
	 */
	public @Nullable String holder() {
		List<ObjectKey> leases = this.rival.leases();
		if (leases.size() > 1) {
			throw new IllegalStateException("There are several Leases, so name the one that is meant: "
					+ String.join(", ", leases.stream().map(ObjectKey::path).toList()));
		}
		return (leases.isEmpty()) ? null : this.rival.holder(leases.get(0));
	}

	/**
	 * Returns the holder of a Lease.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the identity of the holder; {@code null} if the Lease does not exist or has
	 * no holder
	 */
	public @Nullable String holder(String namespace, String name) {
		return this.rival.holder(new ObjectKey(namespace, name));
	}

	/**
	 * Makes the next {@linkplain EmbeddedKubernetes#reset() reset} of the server keep a
	 * Lease. Use it for an elector that runs during several tests, because an elector
	 * without its Lease loses its leadership. If another holder has the Lease, the reset
	 * releases the Lease, so the elector need not wait until it expires.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @param holder the identity of the elector
	 */
	public void keepOnReset(String namespace, String name, String holder) {
		this.rival.keep(new ObjectKey(namespace, name), holder);
	}

}
