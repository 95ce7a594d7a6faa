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
 * Controls of the leaders that clients of an {@link EmbeddedKubernetes} elect by Leases
 * ({@code coordination.k8s.io}): a test lets another replica lead, and keeps the leader
 * from renewing its Lease. Without them an elector becomes leader by itself, as there is
 * nobody else.
 * <p>
 * Each method with a namespace and a name is about that Lease alone; what is said last
 * about a Lease holds. The {@linkplain EmbeddedKubernetes#reset() reset} of the server
 * ends all of it.
 * <p>
 * They act on the Leases of this server alone, and are silent where there is none: with
 * several clusters, those of the server that has the Lease are meant, which is the one of
 * the default cluster unless the application says otherwise. Writes by
 * {@link EmbeddedKubernetes#resources} are not hindered.
 */
public final class LeaderControls {

	/**
	 * Identity of the other replica, as it stands in a Lease that it holds.
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
	 * Lets {@link #RIVAL another replica} take all Leases, those that are created later
	 * among them, and hold them until {@link #grant()}. Watches are sent that at once.
	 * The next renewal of a leader is refused with 409, and no candidate gets a Lease by
	 * waiting: it was always just renewed.
	 */
	public void revoke() {
		this.rival.claimAll();
	}

	/**
	 * Lets {@link #RIVAL another replica} take a Lease, which is created if it does not
	 * exist, and hold it until it is granted.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @see #revoke()
	 */
	public void revoke(String namespace, String name) {
		this.rival.claim(new ObjectKey(namespace, name));
	}

	/**
	 * Lets the clients lead again: renewals are thawed, and the other replica releases
	 * all Leases that it holds, so that a candidate needs not wait for their end. Watches
	 * are sent that at once.
	 */
	public void grant() {
		thawRenewals();
		this.rival.dropAll();
	}

	/**
	 * Lets the other replica release a Lease, if it holds it, and stand for it no more.
	 * Renewals that are frozen stay so.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @see #grant()
	 */
	public void grant(String namespace, String name) {
		this.rival.drop(new ObjectKey(namespace, name));
	}

	/**
	 * Answers no update and no patch of a Lease any more, until {@link #thawRenewals()}:
	 * the term of a leader runs out although the server is there. Reads and creates are
	 * answered.
	 * @return the fault, whose hits are the requests that were not answered; its removal
	 * thaws
	 */
	public Fault freezeRenewals() {
		return freeze((request) -> true);
	}

	/**
	 * Answers no update and no patch of a Lease any more, until {@link #thawRenewals()}.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the fault, whose hits are the requests that were not answered; its removal
	 * thaws
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
	 * Answers all updates of Leases again. The requests that were not answered are cut
	 * and never carried out, so that nothing comes late.
	 */
	public void thawRenewals() {
		List.copyOf(this.freezes).forEach(this::thaw);
	}

	private void thaw(FaultRule freeze) {
		freeze.discard();
		this.freezes.remove(freeze);
	}

	/**
	 * Returns who holds the only Lease that there is.
	 * @return the identity of the holder; {@code null} if there is no Lease, or nobody
	 * holds it
	 * @throws IllegalStateException if there are several Leases; its message names them
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
	 * Returns who holds a Lease.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @return the identity of the holder; {@code null} if it does not exist, or nobody
	 * holds it
	 */
	public @Nullable String holder(String namespace, String name) {
		return this.rival.holder(new ObjectKey(namespace, name));
	}

	/**
	 * Keeps a Lease at the next {@linkplain EmbeddedKubernetes#reset() reset} of the
	 * server: that of an elector which lives longer than a test, and would lose its term
	 * else, or wait for the end of another's. Where anybody else holds the Lease, it is
	 * released then.
	 * @param namespace the namespace of the Lease
	 * @param name the name of the Lease
	 * @param holder the identity of the elector
	 */
	public void keepOnReset(String namespace, String name, String holder) {
		this.rival.keep(new ObjectKey(namespace, name), holder);
	}

}
