package dev.kubeinformer.sample.page;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

import org.junit.jupiter.api.Test;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests of {@link LiveClients}.
 */
class LiveClientsTests {

	private final Queue<Runnable> work = new ArrayDeque<>();

	private final LiveClients clients = new LiveClients(this.work::add);

	@Test
	void clientThatDoesNotReadShouldBeDroppedAndEnded() {
		SseEmitter emitter = this.clients.add(List.of());
		for (int i = 0; i < LiveClient.CAPACITY; i++) {
			this.clients.send(new Message("row", null, i));
		}
		assertThat(this.clients.size()).isEqualTo(1);
		this.clients.send(new Message("row", null, "one too many"));
		assertThat(this.clients.size()).isZero();
		// one thread at most for a client, however much there is to write
		assertThat(this.work).hasSize(1);
		this.work.remove().run();
		assertThatIllegalStateException().isThrownBy(() -> emitter.send("more")).withMessageContaining("completed");
	}

	@Test
	void pageThatConnectsAfterTheEndShouldBeRefused() {
		assertThat(this.clients.hasRoom()).isTrue();
		this.clients.end();
		assertThat(this.clients.hasRoom()).isFalse();
	}

	@Test
	void pageThatWasAdmittedBeforeTheEndShouldBeEnded() {
		this.clients.end();
		SseEmitter emitter = this.clients.add(List.of());
		this.work.remove().run();
		assertThatIllegalStateException().isThrownBy(() -> emitter.send("more")).withMessageContaining("completed");
	}

}
