package dev.kubeinformer.spring.autoconfigure.health;

import java.time.Clock;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.context.annotation.Bean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.InformersProperties;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Auto-configuration of the health of informers, handlers and reconcilers.
 */
@AutoConfiguration(after = InformerAutoConfiguration.class)
@ConditionalOnClass({ CompositeHealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean({ Informers.class, InformerHandlerRegistry.class })
@ConditionalOnEnabledHealthIndicator("informers")
public final class InformerHealthContributorAutoConfiguration {

	InformerHealthContributorAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "informersHealthContributor")
	InformersHealthContributor informersHealthContributor(Informers informers, InformerHandlers handlers,
			Reconcilers reconcilers, MissingRights missingRights, InformerStatusMapper statusMapper) {
		return new InformersHealthContributor(informers, handlers.of(informers), reconcilers, missingRights,
				statusMapper);
	}

	@Bean
	@ConditionalOnMissingBean
	InformerStatusMapper informerStatusMapper(InformersProperties properties) {
		return new InformerStatusMapper(properties.getHealth().getStaleAfter(), Clock.systemUTC());
	}

}
