package dev.kubeinformer.spring.autoconfigure.leader;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.StaticApplicationContext;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.RevocationReason;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the end of an application whose term is lost.
 */
@ExtendWith(OutputCaptureExtension.class)
class LostLeadershipExitTests {

	private final StaticApplicationContext context = new StaticApplicationContext();

	private final CompletableFuture<Integer> exit = new CompletableFuture<>();

	private final Leadership.Term term = LeaderElector.always().term();

	@ParameterizedTest
	@EnumSource(names = { "EXPIRED", "TAKEN" })
	void lossShouldCloseTheContextAndExit(RevocationReason reason, CapturedOutput output) throws Exception {
		this.context.refresh();
		LostLeadershipExit listener = new LostLeadershipExit(this.context, this.exit::complete);
		listener.revoked(this.term, reason);
		assertThat(this.exit.get(20, TimeUnit.SECONDS)).isOne();
		assertThat(this.context.isActive()).isFalse();
		assertThat(output).contains("as leader (" + reason + "); the application exits");
	}

	@ParameterizedTest
	@EnumSource(names = { "YIELDED", "PREFERRED", "STOPPED" })
	void endOfATermThatIsWantedShouldLeaveTheContext(RevocationReason reason) {
		this.context.refresh();
		new LostLeadershipExit(this.context, this.exit::complete).revoked(this.term, reason);
		assertThat(this.exit).isNotDone();
		assertThat(this.context.isActive()).isTrue();
		this.context.close();
	}

	@Test
	void lossWhileTheApplicationEndsShouldBeOne() throws Exception {
		this.context.refresh();
		LostLeadershipExit listener = new LostLeadershipExit(this.context, this.exit::complete);
		listener.revoked(this.term, RevocationReason.EXPIRED);
		listener.revoked(this.term, RevocationReason.TAKEN);
		assertThat(this.exit.get(20, TimeUnit.SECONDS)).isOne();
	}

}
