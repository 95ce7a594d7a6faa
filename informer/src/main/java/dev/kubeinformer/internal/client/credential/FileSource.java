package dev.kubeinformer.internal.client.credential;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.WatchedFile;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Source that reads a credential from files. The files are replaced from time to time, so
 * they are checked once a minute, more often around the expiry, and immediately after the
 * HTTP status 401. If the files are not usable, or do not belong together, they are
 * probably being written. They are then read again within seconds, and the old credential
 * stays in use in the meantime.
 */
final class FileSource implements CredentialSource {

	/**
	 * Time for which unusable files are not logged, because they are probably being
	 * written.
	 */
	private static final Duration WRITING = Duration.ofSeconds(5);

	/**
	 * Interval of the checks in the last minute before the expiry, and after the expiry.
	 */
	private static final Duration SHORT_PERIOD = Duration.ofSeconds(5);

	private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

	private static final int MOST_DOUBLINGS = 6;

	private final CredentialFiles files;

	private final FileReader reader;

	private final ClientTime time;

	private final ReentrantLock lock = new ReentrantLock();

	private final ExchangeLog log = new ExchangeLog();

	private final boolean background;

	private volatile Credential latest;

	private long nextLook;

	private int failures;

	private long failingSince;

	/**
	 * Creates a source.
	 * @param files the files
	 * @param reader the reader of the files
	 * @param time the clocks
	 * @param fallback supplies the credential to use until the files are usable;
	 * {@code null} for none
	 * @param background {@code true} to check the files between requests, too
	 * @throws ClientConfigurationException if the files cannot be used and there is no
	 * fallback
	 */
	FileSource(CredentialFiles files, FileReader reader, ClientTime time, @Nullable Supplier<Credential> fallback,
			boolean background) {
		this.files = files;
		this.reader = reader;
		this.time = time;
		this.background = background;
		this.nextLook = nanoTime() + WatchedFile.PERIOD.toNanos();
		this.latest = first(fallback);
		if (this.failures == 0) {
			this.nextLook = nanoTime() + period().toNanos();
		}
	}

	private Credential first(@Nullable Supplier<Credential> fallback) {
		try {
			return this.files.read();
		}
		catch (ClientConfigurationException ex) {
			if (fallback == null) {
				throw ex;
			}
			Credential first = fallback.get();
			this.log.instead(first, ex);
			failed(nanoTime(), ex);
			return first;
		}
	}

	@Override
	public Credential latest() {
		return this.latest;
	}

	@Override
	public Credential current(BooleanSupplier cancelled) {
		// While one thread reads the files, the others use the current credential.
		if (this.lock.tryLock()) {
			try {
				look(false);
			}
			finally {
				this.lock.unlock();
			}
		}
		return this.latest;
	}

	@Override
	public Credential after(Credential refused, BooleanSupplier cancelled) {
		this.lock.lock();
		try {
			if (this.latest == refused) {
				look(true);
			}
			return this.latest;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isTended() {
		return this.background;
	}

	@Override
	public @Nullable Duration tend() {
		if (!this.background) {
			return null;
		}
		this.lock.lock();
		try {
			look(false);
			return Duration.ofNanos(Math.max(0, this.nextLook - nanoTime()));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void look(boolean refused) {
		long now = nanoTime();
		if (!refused && now - this.nextLook < 0) {
			return;
		}
		boolean failing = this.failures > 0;
		boolean read = refused || failing || this.files.paths().stream().anyMatch(this.reader::hasChanged);
		this.nextLook = now + period().toNanos();
		if (read) {
			readAgain(now);
		}
	}

	private Duration period() {
		Instant expires = this.latest.expires();
		boolean soon = expires != null && this.time.clock().instant().plus(WatchedFile.PERIOD).isAfter(expires);
		return soon ? SHORT_PERIOD : WatchedFile.PERIOD;
	}

	private long nanoTime() {
		return this.time.nanoTime().getAsLong();
	}

	private void readAgain(long now) {
		Credential fresh;
		try {
			fresh = this.files.read();
		}
		catch (ClientConfigurationException ex) {
			failed(now, ex);
			return;
		}
		this.failures = 0;
		if (fresh.authenticatesAs(this.latest)) {
			this.log.healthy();
			return;
		}
		this.latest = fresh;
		this.nextLook = now + period().toNanos();
		this.log.exchanged(fresh);
	}

	private void failed(long now, ClientConfigurationException failure) {
		if (this.failures == 0) {
			this.failingSince = now;
		}
		Duration retry = FIRST_RETRY.multipliedBy(1L << Math.min(this.failures, MOST_DOUBLINGS));
		this.failures++;
		this.nextLook = now + Math.min(retry.toNanos(), WatchedFile.PERIOD.toNanos());
		if (now - this.failingSince >= WRITING.toNanos()) {
			this.log.kept(this.latest, failure, this.time.clock().instant());
		}
	}

}
