package dev.kubeinformer.spring.inject;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import dev.kubeinformer.informer.Informer;

/**
 * First runner of the application, which waits for the caches that the other runners
 * read. At this time, the web server responds to the liveness probe, so Kubernetes does
 * not restart the application during the wait. Internal to the starter.
 */
public final class RunnerCaches
		implements ApplicationRunner, PriorityOrdered, ApplicationListener<ApplicationReadyEvent> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final InjectedInformers injected;

	private final EarlyReads reads;

	/**
	 * Creates an instance.
	 * @param beanFactory the factory of the other runners
	 * @param injected the informers that were injected
	 * @param reads the object that waits for the caches
	 */
	public RunnerCaches(ConfigurableListableBeanFactory beanFactory, InjectedInformers injected, EarlyReads reads) {
		this.beanFactory = beanFactory;
		this.injected = injected;
		this.reads = reads;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		this.reads.applicationIsReady();
	}

	@Override
	public void run(ApplicationArguments args) {
		Set<Informer<?>> read = new LinkedHashSet<>();
		Stream.<Class<?>>of(ApplicationRunner.class, CommandLineRunner.class)
			.flatMap((type) -> Stream.of(this.beanFactory.getBeanNamesForType(type, true, false)))
			.filter((name) -> this.beanFactory.getType(name) != RunnerCaches.class)
			.forEach((name) -> read.addAll(this.injected.readBy(this.beanFactory, name)));
		this.reads.awaitBeforeRunners(read);
	}

}
