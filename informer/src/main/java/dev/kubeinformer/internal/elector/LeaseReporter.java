package dev.kubeinformer.internal.elector;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Reports the requests of an elector in the log and in the status. If requests keep
 * failing for the same reason, that is logged once. Thread-safe.
 */
public final class LeaseReporter implements TermReport {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private static final List<String> WRITING = List.of("update", "create");

	private final LeaderSpec spec;

	private final ElectorClocks clocks;

	private final LeaseFailures failures;

	/** Holder of the Lease when it was last read; empty if there was none. */
	private String holder = "";

	/** Time at which the current term was last granted or renewed. */
	private @Nullable Instant renewedAt;

	public LeaseReporter(LeaderSpec spec, ElectorClocks clocks) {
		this.spec = spec;
		this.clocks = clocks;
		String lease = "Lease '%s/%s'".formatted(spec.namespace(), spec.name());
		this.failures = new LeaseFailures(logger, lease, "so this replica cannot lead", spec.namespace(), spec.name(),
				"'%s', with %s, ".formatted(spec.identity(), lease), spec.retryPeriod(), clocks);
	}

	void warned(String text) {
		this.failures.warned(text);
	}

	void succeeded(String verb) {
		this.failures.succeeded(verb);
	}

	void failed(String verb, Failure failure) {
		this.failures.failed(verb, failure);
	}

	void noClient(Throwable failure) {
		this.failures.noClient("get", failure);
	}

	public LeaderStatus.@Nullable Failure lastError() {
		return this.failures.lastError();
	}

	public List<String> missingVerbs() {
		return this.failures.missingVerbs();
	}

	@Override
	public synchronized void granted(Leadership.Term term) {
		this.renewedAt = this.clocks.now();
		logger.info("'{}' became the leader with Lease '{}/{}' (term {})", this.spec.identity(), this.spec.namespace(),
				this.spec.name(), term.number());
	}

	synchronized void renewed() {
		this.renewedAt = this.clocks.now();
	}

	@Override
	public synchronized void revoked(long number, RevocationReason reason) {
		if (reason == RevocationReason.EXPIRED || reason == RevocationReason.TAKEN) {
			logger.warn("'{}' lost Lease '{}/{}' (term {}): {}; {}", this.spec.identity(), this.spec.namespace(),
					this.spec.name(), number, text(reason), lastRenewal());
		}
		else {
			logger.info("'{}' stopped leading with Lease '{}/{}' (term {}): {}", this.spec.identity(),
					this.spec.namespace(), this.spec.name(), number, text(reason));
		}
	}

	private String lastRenewal() {
		return this.failures.since(this.renewedAt);
	}

	private static String text(RevocationReason reason) {
		return switch (reason) {
			case YIELDED -> "it yielded to another replica";
			case PREFERRED -> "the Lease names a preferred holder";
			case STOPPED -> "the elector was stopped";
			case EXPIRED -> "the Lease was not renewed in time";
			case TAKEN -> "the Lease has another holder or was deleted";
		};
	}

	/**
	 * Records and logs a new holder of the Lease.
	 * @param current the holder; empty if there is none
	 */
	synchronized void holderChanged(String current) {
		String before = this.holder;
		this.holder = current;
		if (current.equals(this.spec.identity())) {
			if (!before.isEmpty() && !before.equals(current)) {
				logger.info(
						"'{}' did not renew Lease '{}/{}' for {} s; it is considered dead and its Lease can be acquired",
						PrintableText.of(before), this.spec.namespace(), this.spec.name(),
						Durations.millis(this.spec.leaseDuration()) / 1000.0);
			}
			return;
		}
		if (current.isEmpty()) {
			logger.info("Lease '{}/{}' has no holder", this.spec.namespace(), this.spec.name());
		}
		else {
			// Forget failed writes, because a standby does not write. The next attempt
			// shows whether they still fail.
			WRITING.forEach(this.failures::forget);
			logger.info("'{}' holds Lease '{}/{}'", PrintableText.of(current), this.spec.namespace(), this.spec.name());
		}
	}

	@Override
	public void undrained() {
		logger.warn(
				"The leader's work for Lease '{}/{}' did not drain in time, so the Lease is not "
						+ "released; another replica can lead after {} s",
				this.spec.namespace(), this.spec.name(), Durations.millis(this.spec.leaseDuration()) / 1000.0);
	}

}
