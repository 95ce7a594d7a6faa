package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.spring.bean.WorkerThreads;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.settings.ConfiguredSettings;

/**
 * Configures the beans that find and run reconcilers. Each context runs its own
 * reconcilers, on informers that child contexts share with their parents. All
 * {@link ReconcilerListener} beans are notified of all reconcilers, and all
 * {@link ReconcilerDecorator} beans decorate them. Imported after the configuration of
 * handlers, so that handlers are found first.
 */
@Configuration(proxyBeanMethods = false)
public class ReconcilerConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = ReconcilerRegistry.class, search = SearchStrategy.CURRENT)
	DefaultReconcilerRegistry reconcilerRegistry(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters,
			ConfiguredSettings configured, InjectedInformers injected, InformerHandlers handlers,
			Reconcilers reconcilers, ObjectProvider<ReconcilerDecorator> decorators,
			ObjectProvider<ReconcilerListener> listeners, LeaderElection election, Environment environment) {
		ReconcilerBody body = new ReconcilerBody(beanFactory, clusters, injected, decorators.orderedStream().toList());
		ReconcilerDefinitionFactory definitions = new ReconcilerDefinitionFactory(beanFactory, body,
				WorkerThreads.of(environment), election);
		return new DefaultReconcilerRegistry(clusters,
				new ReconcilerFinder(configured, new BeanScanner<>(beanFactory, Reconciler.class,
						List.of(Reconcile.class, Watches.class, OnCleanup.class), InvalidReconcilerException::new),
						definitions, new ReconcilerIdValidator(clusters, configured, handlers, reconcilers),
						() -> listeners(beanFactory, listeners), Informers::controller));
	}

	private static List<ReconcilerListener> listeners(BeanFactory beanFactory,
			ObjectProvider<ReconcilerListener> listeners) {
		List<ReconcilerListener> all = new ArrayList<>(listeners.orderedStream().toList());
		all.add(new ReconcilerListener() {

			@Override
			public void ran(ReconcilerContainer reconciler, ReconcileRun run) {
				if (run.error() != null && run.outcome() != RunOutcome.CONFLICT) {
					beanFactory.getBeanProvider(InformerErrorHandler.class)
						.ifUnique((handler) -> handler.handleRun(run, reconciler));
				}
			}

		});
		return all;
	}

	@Bean
	@ConditionalOnMissingBean
	Reconcilers reconcilers() {
		return new Reconcilers();
	}

	@Bean
	@ConditionalOnMissingBean
	MissingRights reconcilerMissingRights() {
		return new MissingRights();
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	Reconcilers.Member reconcilersMember(Reconcilers all, Informers informers, ReconcilerRegistry registry) {
		return all.join(informers, registry);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReconcilerLifecycle reconcilerLifecycle(ClusterRuntimes clusters, Reconcilers.Member reconcilers) {
		return new ReconcilerLifecycle(clusters, reconcilers);
	}

}
