package dev.kubeinformer.internal.informer;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerRegistration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pauses of leader-only handlers that meet a grant.
 */
class LeaderOnlyHandlerPauseTests {

	@Test
	void endOfAPauseHoldsAlthoughThePauseIsBeingDone() {
		AtomicBoolean paused = new AtomicBoolean(true);
		List<String> calls = new ArrayList<>();
		HandlerRegistration registration = (HandlerRegistration) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { HandlerRegistration.class }, (proxy, method, arguments) -> {
					calls.add(method.getName());
					paused.set(false);
					return null;
				});
		LeaderOnlyHandler.hold(registration, paused::get, false);
		assertThat(calls).containsExactly("pause", "resume");
	}

}
