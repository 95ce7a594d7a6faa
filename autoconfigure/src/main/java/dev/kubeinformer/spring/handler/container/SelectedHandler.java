package dev.kubeinformer.spring.handler.container;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.cluster.ClusterSelection;

/**
 * Handler bean with the clusters whose events it handles.
 *
 * @param id the id of the handler, the same in each cluster
 * @param bean the bean
 * @param selection the clusters
 */
record SelectedHandler(String id, AnnotatedBean<InformerHandler> bean, ClusterSelection selection) {

}
