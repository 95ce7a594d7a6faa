package dev.kubeinformer.spring.handler;

import java.util.List;

import dev.kubeinformer.spring.bean.ContainersLifecycle;

/**
 * Starter and stopper of all handlers with the application context.
 */
final class InformerHandlerLifecycle extends ContainersLifecycle {

	private final InformerHandlerRegistry registry;

	InformerHandlerLifecycle(InformerHandlerRegistry registry) {
		this.registry = registry;
	}

	@Override
	protected List<Member> members() {
		return this.registry.all().stream().<Member>map(Handler::new).toList();
	}

	/**
	 * A handler.
	 *
	 * @param container its container
	 */
	private record Handler(InformerHandlerContainer container) implements Member {

		@Override
		public String id() {
			return this.container.id();
		}

		@Override
		public boolean isAutoStartup() {
			return this.container.isAutoStartup();
		}

		@Override
		public boolean isRunning() {
			return this.container.isRunning();
		}

		@Override
		public void start() {
			if (this.container instanceof AttachedContainer attached) {
				// Informers may be meant to start later.
				attached.attach();
			}
			else {
				this.container.start();
			}
		}

		@Override
		public void stop() {
			this.container.stop();
		}

	}

}
