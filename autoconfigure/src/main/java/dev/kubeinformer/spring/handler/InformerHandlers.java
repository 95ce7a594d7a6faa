package dev.kubeinformer.spring.handler;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.Informers;

/**
 * Handlers of a hierarchy of application contexts. Each context has its own registry.
 * Thread-safe.
 */
public final class InformerHandlers {

	private final List<Member> members = new CopyOnWriteArrayList<>();

	private final NamespaceOverrides changedNamespaces = new NamespaceOverrides();

	public InformerHandlers() {
	}

	public NamespaceOverrides changedNamespaces() {
		return this.changedNamespaces;
	}

	public Member join(Informers informers, InformerHandlerRegistry registry) {
		Member member = new Member(this, informers, registry);
		this.members.add(member);
		return member;
	}

	/**
	 * Returns the handlers in all open contexts that use certain informers. Handlers of
	 * parent contexts come first.
	 * @param informers the informers
	 * @return the handlers
	 */
	public List<InformerHandlerContainer> of(Informers informers) {
		return this.members.stream()
			.flatMap((member) -> member.registry().all().stream().filter((each) -> member.informers(each) == informers))
			.toList();
	}

	/**
	 * Returns the ids of the handlers of all contexts.
	 * @return the ids
	 */
	public List<String> ids() {
		return this.members.stream()
			.flatMap((member) -> member.registry().all().stream())
			.map(InformerHandlerContainer::id)
			.toList();
	}

	/**
	 * Handlers of a context while the context is open.
	 *
	 * @param all the handlers of all contexts of the hierarchy
	 * @param informers the informers of the default cluster
	 * @param registry the registry of the context
	 */
	public record Member(InformerHandlers all, Informers informers,
			InformerHandlerRegistry registry) implements AutoCloseable {

		private Informers informers(InformerHandlerContainer container) {
			return (container instanceof RegistrationAware attached) ? attached.informers() : this.informers;
		}

		@Override
		public void close() {
			this.all.members.removeIf((member) -> member == this);
		}

	}

}
