package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.tls.ClientIdentity;

/**
 * Credentials of several sources, of which each gives the header, the certificate, or
 * both. Safe for use by several threads.
 */
final class CombinedCredentials implements Credentials {

	private final List<CredentialSource> sources;

	private final Clock clock;

	private final Caretaker caretaker = new Caretaker(this::tend);

	private final List<Consumer<Credential>> listeners = new CopyOnWriteArrayList<>();

	/** Guards the order in which listeners are told. */
	private final Object publishing = new Object();

	private volatile @Nullable Published published;

	/**
	 * Creates credentials.
	 * @param clock the time of the day
	 * @param sources returns the sources, which call their argument after they fetched
	 */
	CombinedCredentials(Clock clock, Function<Runnable, List<CredentialSource>> sources) {
		this.clock = clock;
		this.sources = sources.apply(this::fetched);
	}

	@Override
	public Credential current(BooleanSupplier cancelled) throws IOException {
		for (CredentialSource source : this.sources) {
			source.current(cancelled);
		}
		return published();
	}

	@Override
	public Credential after(Credential refused, BooleanSupplier cancelled) throws IOException {
		Published known = this.published;
		if (known == null || known.credential != refused) {
			// It was exchanged meanwhile.
			return current(cancelled);
		}
		for (int i = 0; i < this.sources.size(); i++) {
			this.sources.get(i).after(known.parts.get(i), cancelled);
		}
		return published();
	}

	@Override
	public boolean areSlow() {
		return this.sources.stream().anyMatch(CredentialSource::isSlow);
	}

	@Override
	public void listen(Consumer<Credential> listener) {
		synchronized (this.publishing) {
			this.listeners.add(listener);
			Published known = this.published;
			if (known != null) {
				listener.accept(known.credential);
			}
		}
	}

	private void fetched() {
		publish();
		wake();
	}

	private void wake() {
		if (this.sources.stream().anyMatch(CredentialSource::isTended)) {
			this.caretaker.wake();
		}
	}

	private Credential published() throws IOException {
		Published now = publish();
		if (now == null) {
			throw new IOException("no credential was fetched");
		}
		return now.credential;
	}

	/**
	 * Combines what the sources have, and tells the listeners if it is new, before any
	 * caller gets it.
	 * @return what the sources have; {@code null} if one of them has nothing yet
	 */
	private @Nullable Published publish() {
		Published known = this.published;
		if (known != null && known.isOf(this.sources)) {
			return known;
		}
		synchronized (this.publishing) {
			known = this.published;
			if (known != null && known.isOf(this.sources)) {
				return known;
			}
			List<Credential> parts = new ArrayList<>();
			for (CredentialSource source : this.sources) {
				Credential part = source.latest();
				if (part == null) {
					return null;
				}
				parts.add(part);
			}
			Published next = new Published(parts, combined(parts, this.clock.instant()));
			this.listeners.forEach((listener) -> listener.accept(next.credential));
			this.published = next;
			if (known == null) {
				wake();
			}
			return next;
		}
	}

	/**
	 * Combines parts of a credential.
	 * @param parts the parts, the first of which counts where several have the same
	 * @param now the time of the day
	 * @return the credential
	 */
	static Credential combined(List<Credential> parts, Instant now) {
		if (parts.size() == 1) {
			return parts.get(0);
		}
		if (parts.isEmpty()) {
			return new Credential(null, null, "no credentials", now, null);
		}
		String authorization = null;
		ClientIdentity identity = null;
		Instant expires = null;
		Instant readAt = null;
		for (Credential part : parts) {
			authorization = (authorization != null) ? authorization : part.authorization();
			identity = (identity != null) ? identity : part.identity();
			expires = Renewal.earlier(expires, part.expires());
			readAt = Renewal.earlier(readAt, part.readAt());
		}
		String source = String.join(" and ", parts.stream().map(Credential::source).toList());
		return new Credential(authorization, identity, source, (readAt != null) ? readAt : now, expires);
	}

	/**
	 * Renews what is due.
	 * @return the time until the next call; {@code null} to wait for a fetch
	 */
	@Nullable Duration tend() {
		Duration next = null;
		for (CredentialSource source : this.sources) {
			Duration due = source.tend();
			if (due != null && (next == null || due.compareTo(next) < 0)) {
				next = due;
			}
		}
		publish();
		return next;
	}

	@Override
	public void close() {
		this.caretaker.close();
		this.sources.forEach(CredentialSource::close);
	}

	/**
	 * A credential and the parts that it was made of.
	 *
	 * @param parts the parts, in the order of the sources
	 * @param credential the credential
	 */
	private record Published(List<Credential> parts, Credential credential) {

		boolean isOf(List<CredentialSource> sources) {
			for (int i = 0; i < sources.size(); i++) {
				if (sources.get(i).latest() != this.parts.get(i)) {
					return false;
				}
			}
			return true;
		}

	}

}
