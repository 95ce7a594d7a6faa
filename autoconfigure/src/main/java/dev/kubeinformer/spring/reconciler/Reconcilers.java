package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.informer.InformerSpec;

/**
 * The reconcilers of a hierarchy of application contexts, of which each has a registry of
 * its own. May be used by any thread.
 */
public final class Reconcilers {

	private final List<Member> members = new CopyOnWriteArrayList<>();

	Reconcilers() {
	}

	Member join(Informers informers, ReconcilerRegistry registry) {
		Member member = new Member(this, informers, registry);
		this.members.add(member);
		return member;
	}

	/**
	 * Returns the reconcilers of all contexts that share informers, those of the parents
	 * first. Contexts that come and go are seen.
	 * @param informers the informers
	 * @return the reconcilers on them
	 */
	public ReconcilerRegistry of(Informers informers) {
		return new SharedRegistry(this, informers);
	}

	/**
	 * Returns what is known of a reconciler beside its spec.
	 * @param container the container of the reconciler
	 * @return the details
	 */
	public ReconcilerDetails details(ReconcilerContainer container) {
		return this.members.stream()
			.map((member) -> (member.registry() instanceof DefaultReconcilerRegistry known) ? known.details(container)
					: null)
			.filter(Objects::nonNull)
			.findFirst()
			.orElseGet(ReconcilerDetails::unknown);
	}

	/**
	 * Returns the informers whose caches feed a reconciler.
	 * @param container the container of the reconciler
	 * @param byDefault those of the default cluster
	 * @return the informers of its cluster
	 */
	Informers informers(ReconcilerContainer container, Informers byDefault) {
		return this.members.stream()
			.filter((member) -> member.registry().all().contains(container))
			.map((member) -> member.informers(container))
			.findFirst()
			.orElse(byDefault);
	}

	/**
	 * Returns what is cached for a reconciler, whether it is started or not.
	 * @param container the container of the reconciler
	 * @return the specs of the informers
	 */
	public List<InformerSpec<?>> sources(ReconcilerContainer container) {
		return ReconcilerSources.informers(container.spec());
	}

	static IllegalArgumentException unknown(String id, Collection<ReconcilerContainer> all) {
		return new IllegalArgumentException("No reconciler has the id '%s'; the reconcilers are %s".formatted(id,
				all.stream().map(ReconcilerContainer::id).toList()));
	}

	/**
	 * The reconcilers of a context, for as long as the context is open.
	 *
	 * @param all what it is a member of
	 * @param informers those of the default cluster
	 * @param registry the reconcilers
	 */
	record Member(Reconcilers all, Informers informers, ReconcilerRegistry registry) implements AutoCloseable {

		/**
		 * Returns the informers whose caches feed a reconciler of the context.
		 * @param container the container of the reconciler
		 * @return the informers of its cluster
		 */
		Informers informers(ReconcilerContainer container) {
			Informers known = (this.registry instanceof DefaultReconcilerRegistry own) ? own.informers(container)
					: null;
			return (known != null) ? known : this.informers;
		}

		@Override
		public void close() {
			this.all.members.removeIf((member) -> member == this);
		}

	}

	private record SharedRegistry(Reconcilers reconcilers, Informers informers) implements ReconcilerRegistry {

		@Override
		public ReconcilerContainer get(String id) {
			return all().stream()
				.filter((container) -> container.id().equals(id))
				.findFirst()
				.orElseThrow(() -> unknown(id, all()));
		}

		private boolean isAt(ReconcilerContainer container, Member member) {
			return member.informers(container) == this.informers;
		}

		@Override
		public Collection<ReconcilerContainer> all() {
			return this.reconcilers.members.stream()
				.flatMap((member) -> member.registry().all().stream().filter((each) -> isAt(each, member)))
				.toList();
		}

		@Override
		public boolean awaitIdle(Duration timeout) throws InterruptedException {
			return new IdleWait(this::all).await(timeout);
		}

	}

}
