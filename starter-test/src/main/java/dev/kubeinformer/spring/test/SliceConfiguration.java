package dev.kubeinformer.spring.test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

/**
 * Adds the auto-configuration of informers to test slices such as {@code @WebMvcTest},
 * which import only their own auto-configurations.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, havingValue = false)
@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
class SliceConfiguration {

}
