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
 * Credentials that combine the headers and client certificates of several sources.
 * Thread-safe.
 */
final class CombinedCredentials implements Credentials {

	private final List<CredentialSource> sources;

	private final Clock clock;

	private final Caretaker caretaker = new Caretaker(this::tend);

	private final List<Consumer<Credential>> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Lock that is held while listeners are notified, so that they receive the
	 * credentials in order.
	 */
	private final Object publishing = new Object();

	private volatile @Nullable Published published;

	/**
	 * Creates credentials.
	 * @param clock the wall clock
	 * @param sources creates the sources; each source runs the passed callback after each
	 * fetch
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
			// Another thread has replaced the credential.
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
	 * Combines the latest headers and certificates of all sources. If the result is a new
	 * credential, the listeners are notified before any caller receives it.
	 * @return the credential; {@code null} if a source does not have its part yet
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
	 * Combines the credentials of several sources.
	 * @param parts the credentials; if several have a header or a certificate, the first
	 * one is used
	 * @param now the wall-clock time
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
	 * Lets each source renew its header or certificate if the renewal is due.
	 * @return the time until the next call; {@code null} if the end of a fetch causes the
	 * next call
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
	 * Combined credential.
	 *
	 * @param parts the credentials of the sources, in the order of the sources
	 * @param credential the combination of these credentials
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
