package dev.kubeinformer.spring.autoconfigure.training;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

import io.kubernetes.client.common.KubernetesObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.handler.HandlerDecorator;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Run of the application that trains an archive of the JVM. It closes the context and
 * ends the process as soon as all components are synced and have processed live changes.
 * The bean exists in other runs, too, and does nothing there, because ahead-of-time
 * processing would decide at build time whether a conditional bean exists.
 */
public final class TrainingRun implements HandlerDecorator, ReconcilerListener, ApplicationListener<ApplicationEvent> {

	static final int FAILED = 1;

	private static final Duration PERIOD = Duration.ofMillis(50);

	private static final Logger logger = LoggerFactory.getLogger(TrainingRun.class);

	private final ApplicationContext context;

	private final InformersProperties.Training properties;

	private final ObjectProvider<ClusterRuntimes> clusters;

	private final ObjectProvider<InformerHandlerRegistry> handlers;

	private final ObjectProvider<ReconcilerRegistry> reconcilers;

	private final ObjectProvider<Reconcilers> details;

	private final IntConsumer exit;

	private final TrainingProgress progress = new TrainingProgress();

	private final AtomicBoolean begun = new AtomicBoolean();

	private final CountDownLatch closed = new CountDownLatch(1);

	/**
	 * Creates the run.
	 * @param context the context of the application
	 * @param properties the properties of the training run
	 * @param clusters the clusters
	 * @param handlers the handlers
	 * @param reconcilers the reconcilers
	 * @param details the details of reconcilers
	 * @param exit the action that ends the process with an exit code
	 */
	public TrainingRun(ApplicationContext context, InformersProperties.Training properties,
			ObjectProvider<ClusterRuntimes> clusters, ObjectProvider<InformerHandlerRegistry> handlers,
			ObjectProvider<ReconcilerRegistry> reconcilers, ObjectProvider<Reconcilers> details, IntConsumer exit) {
		this.context = context;
		this.properties = properties;
		this.clusters = clusters;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.details = details;
		this.exit = exit;
	}

	@Override
	public <T extends KubernetesObject> EventHandler<T> decorate(EventHandler<T> handler, String id,
			InformerSpec<T> spec) {
		if (!this.properties.enabled()) {
			return handler;
		}
		return (event) -> {
			handler.handle(event);
			this.progress.handled(ClusterScopedId.within(event.cluster(), id).whole(), event);
		};
	}

	@Override
	public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
		if (run.lane() == QueueLane.LIVE && run.error() == null) {
			this.progress.reconciled(reconciler.id());
		}
	}

	@Override
	public void onApplicationEvent(ApplicationEvent event) {
		if (event instanceof ContextClosedEvent closing && closing.getApplicationContext() == this.context) {
			this.closed.countDown();
		}
		else if (event instanceof ApplicationReadyEvent ready && ready.getApplicationContext() == this.context) {
			begin();
		}
	}

	private void begin() {
		if (this.properties.enabled() && this.begun.compareAndSet(false, true)) {
			logger.info("Training run: the application ends when all components are synced and have processed "
					+ "live changes, because 'kubernetes.informers.training.enabled' is set");
			Thread thread = new Thread(this::run, "informers-training");
			// Not a daemon, so that the process cannot end before this thread sets the
			// exit code.
			thread.setDaemon(false);
			thread.start();
		}
	}

	private void run() {
		boolean alone = true;
		int status = FAILED;
		try {
			alone = awaitTrained();
			if (alone) {
				int code = isTrained() ? 0 : FAILED;
				status = SpringApplication.exit(this.context, () -> code);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			logger.error("The training run was interrupted; the application ends with exit code {}", FAILED);
		}
		catch (RuntimeException | Error ex) {
			// Do not end the process if another thread closes the context: the failure
			// may be due to beans that were removed.
			alone = this.closed.getCount() > 0;
			logger.error("The training run failed", ex);
		}
		finally {
			if (alone) {
				this.exit.accept(status);
			}
		}
	}

	// Returns false if another thread closes the context.
	private boolean awaitTrained() throws InterruptedException {
		long end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.properties.timeout());
		while (!missing().isEmpty() && System.nanoTime() - end < 0) {
			if (this.closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		return true;
	}

	private boolean isTrained() {
		List<String> missing = missing();
		if (missing.isEmpty()) {
			logger.info("Trained: everything is synced and has had live changes; the application ends");
			return true;
		}
		logger.error("Not trained within {} (kubernetes.informers.training.timeout): {}. Objects of each watched "
				+ "resource must be there, and be added, changed and deleted meanwhile; the application ends with exit code {}",
				this.properties.timeout(), String.join("; ", missing), FAILED);
		return false;
	}

	private List<String> missing() {
		List<InformerHandlerContainer> started = this.handlers.stream()
			.flatMap((registry) -> registry.all().stream())
			.filter(InformerHandlerContainer::isAutoStartup)
			.toList();
		List<ReconcilerContainer> running = this.reconcilers.stream()
			.flatMap((registry) -> registry.all().stream())
			.filter((reconciler) -> this.details.getObject().details(reconciler).autoStartup())
			.toList();
		List<Informer<?>> informers = this.clusters.stream()
			.flatMap((all) -> all.all().stream())
			.<Informer<?>>flatMap((cluster) -> cluster.informers().all().stream())
			.toList();
		return informers.isEmpty() ? List.of("there are neither handlers nor informers")
				: this.progress.missing(started, running, informers);
	}

}
