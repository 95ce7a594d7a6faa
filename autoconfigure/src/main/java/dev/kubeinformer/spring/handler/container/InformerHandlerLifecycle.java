package dev.kubeinformer.spring.handler.container;

import java.util.List;

import dev.kubeinformer.spring.bean.ContainersLifecycle;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.RegistrationAware;
import dev.kubeinformer.spring.handler.event.ClusterHandlers;

/**
 * Starts and stops all handlers with the application context.
 */
final class InformerHandlerLifecycle extends ContainersLifecycle implements ClusterRuntimes.Member {

	private final InformerHandlerRegistry registry;

	private final ClusterRuntimes clusters;

	InformerHandlerLifecycle(InformerHandlerRegistry registry, ClusterRuntimes clusters) {
		this.registry = registry;
		this.clusters = clusters;
	}

	@Override
	public void start() {
		this.clusters.join(this, (all) -> super.start());
		if (this.registry instanceof DefaultInformerHandlerRegistry own) {
			own.started();
		}
	}

	@Override
	public void stop() {
		leave();
		super.stop();
	}

	private void leave() {
		this.clusters.leave(this);
		if (this.registry instanceof DefaultInformerHandlerRegistry own) {
			own.stopping();
		}
	}

	@Override
	public void stop(Runnable callback) {
		leave();
		super.stop(callback);
	}

	@Override
	public void added(ClusterRuntime cluster) {
		start(new ClusterHandlers(this.registry, cluster.name()).all().stream().<Member>map(Handler::new).toList());
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		// The registry stops and removes the handlers of the cluster.
	}

	@Override
	protected List<Member> members() {
		return this.registry.all().stream().<Member>map(Handler::new).toList();
	}

	/**
	 * Handler as a member of the lifecycle.
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
			if (this.container instanceof RegistrationAware attached) {
				// Do not start the informer, because informers may be configured to start
				// later.
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
