package dev.kubeinformer.spring.reconciler;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Reconcilers of a hierarchy of application contexts. Each context has its own registry.
 * Thread-safe.
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
	 * Returns the reconcilers in all open contexts that use certain informers.
	 * Reconcilers of parent contexts come first.
	 * @param informers the informers
	 * @return the reconcilers
	 */
	public List<ReconcilerContainer> of(Informers informers) {
		return this.members.stream()
			.flatMap((member) -> member.registry().all().stream().filter((each) -> member.informers(each) == informers))
			.toList();
	}

	/**
	 * Returns the ids of the reconcilers of all contexts.
	 * @return the ids
	 */
	List<String> ids() {
		return this.members.stream()
			.flatMap((member) -> member.registry().all().stream())
			.map(ReconcilerContainer::id)
			.toList();
	}

	/**
	 * Returns the settings of a reconciler that are not part of its spec.
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
	 * Returns the specs of a reconciler's informers, whether the reconciler is started or
	 * not.
	 * @param container the container of the reconciler
	 * @return the specs
	 */
	public List<InformerSpec<?>> sources(ReconcilerContainer container) {
		return SourceDeclarations.informers(container.spec());
	}

	/**
	 * Reconcilers of a context while the context is open.
	 *
	 * @param all the reconcilers of all contexts of the hierarchy
	 * @param informers the informers of the default cluster
	 * @param registry the registry of the context
	 */
	record Member(Reconcilers all, Informers informers, ReconcilerRegistry registry) implements AutoCloseable {

		/**
		 * Returns the informers of a reconciler of the context.
		 * @param container the container of the reconciler
		 * @return the informers of the reconciler's cluster
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

}
