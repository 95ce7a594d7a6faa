package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Ends the application when the replica has lost its term without yielding or stopping.
 */
final class LostLeadershipExit implements LeadershipListener {

	static final int EXIT_CODE = 1;

	private static final Set<RevocationReason> INVOLUNTARY = EnumSet.of(RevocationReason.EXPIRED,
			RevocationReason.TAKEN);

	private static final Logger logger = LoggerFactory.getLogger(LostLeadershipExit.class);

	private final ApplicationContext context;

	private final IntConsumer exit;

	private final AtomicBoolean lost = new AtomicBoolean();

	/**
	 * Creates an instance.
	 * @param context the context of the application
	 * @param exit the action that ends the process with an exit code
	 */
	LostLeadershipExit(ApplicationContext context, IntConsumer exit) {
		this.context = context;
		this.exit = exit;
	}

	@Override
	public void revoked(Leadership.Term term, RevocationReason reason) {
		if (INVOLUNTARY.contains(reason) && this.lost.compareAndSet(false, true)) {
			logger.error("This replica lost its term {} as leader ({}); the application exits because "
					+ "'kubernetes.leader.on-lost' is 'exit'", term.number(), reason);
			// Use another thread, because closing the context stops the elector, which waits for this call.
			Thread end = new Thread(this::end, "leader-exit");
			// Not a daemon, so that the process cannot end earlier with another exit code.
			end.setDaemon(false);
			end.start();
		}
	}

	private void end() {
		int code = EXIT_CODE;
		try {
			code = SpringApplication.exit(this.context, () -> EXIT_CODE);
		}
		finally {
			this.exit.accept(code);
		}
	}

}
