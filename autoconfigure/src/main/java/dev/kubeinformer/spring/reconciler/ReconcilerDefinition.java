package dev.kubeinformer.spring.reconciler;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.cluster.ClusterRuntime;

/**
 * Definition of a reconciler, merged from annotations and configuration.
 *
 * @param <T> the model class of the primary
 * @param bean the bean
 * @param spec the settings for the engine
 * @param sources the specs of the informers, with that of the primaries first
 * @param details the settings that are not part of the spec
 * @param cluster the cluster whose objects are reconciled
 */
record ReconcilerDefinition<T extends KubernetesObject>(AnnotatedBean<Reconciler> bean, ReconcilerSpec<T> spec,
		List<InformerSpec<?>> sources, ReconcilerDetails details, ClusterRuntime cluster) {

	String id() {
		return this.spec.id();
	}

}
