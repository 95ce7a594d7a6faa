package dev.kubeinformer.spring.handler;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.Informers;

/**
 * The handlers of a hierarchy of application contexts, of which each has a registry of
 * its own. May be used by any thread.
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
	 * Returns the handlers of all contexts that share informers, those of the parents
	 * first. Contexts that come and go are seen.
	 * @param informers the informers
	 * @return the handlers at them
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
	 * The handlers of a context, for as long as the context is open.
	 *
	 * @param all what it is a member of
	 * @param informers those of the default cluster
	 * @param registry the handlers
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
