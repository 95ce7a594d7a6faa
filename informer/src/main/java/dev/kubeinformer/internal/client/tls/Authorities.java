package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.WatchedFile;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Certificate authorities that a client trusts. A file of authorities is read again when
 * it has changed. While the file cannot be read, the previous authorities stay in use.
 * Thread-safe.
 */
final class Authorities {

	private static final Logger logger = LoggerFactory.getLogger(Authorities.class);

	private final ReentrantLock lock = new ReentrantLock();

	private final Content content;

	/** File of the certificates; {@code null} if they are inline in the configuration. */
	private final @Nullable WatchedFile file;

	private volatile List<X509Certificate> current;

	/** Whether the last attempt to read the file failed. Guarded by the lock. */
	private boolean failed;

	/**
	 * Reads the authorities.
	 * @param content the content with the authorities
	 * @param time the clocks
	 * @throws ClientConfigurationException if they cannot be read
	 */
	Authorities(Content content, ClientTime time) {
		this.content = content;
		if (content instanceof Content.InFile in) {
			this.file = new WatchedFile(in.path(), time);
			this.current = read(this.file);
		}
		else {
			this.file = null;
			this.current = Pem.authorities(content, ((Content.Inline) content).text());
		}
	}

	private List<X509Certificate> read(WatchedFile source) {
		try {
			// Text between the certificates may have any encoding.
			return Pem.authorities(this.content, new String(source.read(), StandardCharsets.ISO_8859_1));
		}
		catch (IOException ex) {
			throw Pem.invalid(this.content, reason(source, ex), null);
		}
	}

	private static String reason(WatchedFile source, IOException ex) {
		if (ex instanceof NoSuchFileException) {
			return "does not exist";
		}
		return Files.isDirectory(source.path()) ? "is a directory"
				: "cannot be read (%s)".formatted(ex.getClass().getSimpleName());
	}

	/**
	 * Returns the certificates of the authorities.
	 * @return the certificates; always the same instance of the list until the file has
	 * changed
	 */
	List<X509Certificate> current() {
		return this.current;
	}

	/**
	 * Checks the file, at most once a minute, and reads it again if it has changed.
	 */
	void look() {
		WatchedFile watched = this.file;
		// While another thread reads the file, new connections use the previous
		// authorities.
		if (watched != null && this.lock.tryLock()) {
			try {
				if (watched.hasChanged()) {
					reload(watched);
				}
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Checks the file now, because a certificate could not be verified. Reads the file
	 * again if it has changed.
	 * @param refuted the authorities that could not verify the certificate
	 * @return {@code true} if there are other authorities now
	 */
	boolean lookAfter(List<X509Certificate> refuted) {
		WatchedFile watched = this.file;
		if (watched == null) {
			return false;
		}
		this.lock.lock();
		try {
			if (this.current == refuted && (this.failed || watched.hasChangedNow() || !exists(watched))) {
				reload(watched);
			}
			return this.current != refuted;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static boolean exists(WatchedFile watched) {
		return Files.exists(watched.path());
	}

	private void reload(WatchedFile watched) {
		try {
			List<X509Certificate> read = read(watched);
			this.failed = false;
			if (!read.equals(this.current)) {
				this.current = read;
				logger.info(
						"{} names the file '{}' as '{}', which has changed; new connections trust "
								+ "its new content (certificates: {})",
						this.content.place(), watched.path(), this.content.field(), read.size());
			}
		}
		catch (ClientConfigurationException ex) {
			if (!this.failed) {
				logger.warn("{}; trusting the previous certificate authorities until the file can be read again",
						ex.getMessage());
			}
			this.failed = true;
		}
	}

}
